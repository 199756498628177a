"""urllib: NO_PROXY is read as names and addresses between commas, and nothing else."""

from urllib.request import proxy_bypass_environment

for no_proxy in (".example.com", "*.example.com", "b.example.com a.example.com"):
    found = proxy_bypass_environment("a.example.com", {"no": no_proxy})
    print(f"{no_proxy}: {'directly' if found else 'through the proxy'}")
