# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The Agent Session Platform API as Python: models, operations and a typed facade, without any I/O or policy.

Use it through `agent_session_platform`, which sends the requests.
"""
