"""Rate limiters, which decide when a request may be sent, and the algorithm that they share.

`RedisRateLimiter` is imported from `rate_limit.redis` where it is needed, because most programs do not have its extra.
"""
