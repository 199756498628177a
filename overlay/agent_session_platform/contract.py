"""The contract: the OpenAPI document that this build was generated from.

    from agent_session_platform.contract import load

    contract = load()
    create = contract.endpoints["create_organization_session"]
    print(create.node["summary"], [each["name"] for each in create.parameters])
    session = contract.flatten({"$ref": "#/components/schemas/Session"})
    print(list(session["properties"]))

All callers share one document: do not change what these functions return. `copy.deepcopy(load().document)` is a copy.
"""

from agent_session_platform_api.contract import (
    PLACEHOLDER as PLACEHOLDER,
    Contract as Contract,
    Endpoint as Endpoint,
    Node as Node,
    child as child,
    gaps_at as gaps_at,
    is_array as is_array,
    is_object as is_object,
    load as load,
    schema_of as schema_of,
)

__all__ = (
    "PLACEHOLDER",
    "Contract",
    "Endpoint",
    "Node",
    "child",
    "gaps_at",
    "is_array",
    "is_object",
    "load",
    "schema_of",
)
