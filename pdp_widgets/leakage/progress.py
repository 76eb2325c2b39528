"""Progress of a long computation, where results on leakage look for it: see `pdp_widgets.core.progress`."""

from pdp_widgets.core.progress import Progress as Progress
from pdp_widgets.core.progress import ProgressHook as ProgressHook
from pdp_widgets.core.progress import part as part
from pdp_widgets.core.progress import refuse_beyond as refuse_beyond
from pdp_widgets.core.progress import timed as timed
