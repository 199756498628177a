"""When a request may travel: the rate limiters and the algorithm that they share."""
