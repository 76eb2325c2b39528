"""Run files of reference cases against the installed library.

``python -m pdp_widgets.verify [FILE ...]`` prints one line for each failure and ``N of M cases pass`` at the
end; the exit status is 1 on any failure and 2 for a file that cannot be used. Without one it runs the cases
that come with the package. Input and expectation are read from the file and everything is computed through
the public interface. A case whose kind, or convention of that kind, is not offered is *not run* and named at
the end; it never counts as passed.

`formats` says which module computes the cases of which format, `cases` runs them and counts.
"""

from pdp_widgets.verify.cases import Report, main, verify
from pdp_widgets.verify.formats import VectorError

__all__ = ["Report", "VectorError", "main", "verify"]
