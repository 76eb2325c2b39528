"""tmp"""
from pdp_widgets.models.networks.bayesian_network import BayesianNetwork as BayesianNetwork
from pdp_widgets.models.networks.markov_network import MarkovNetwork as MarkovNetwork
