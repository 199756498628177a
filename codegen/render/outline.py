"""Outline the contract for the generator: the names of its operations, models and closed sets, without their shapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from codegen.contract import Node
from codegen.render.fields import ModelFields
from codegen.render.methods import Method
from codegen.render.schemas import NamedSchema


def outline(
    methods: Iterable[Method], models: Mapping[str, ModelFields], closed_sets: Mapping[str, NamedSchema]
) -> Node:
    """Return an OpenAPI document for which the generator writes one module for each operation, model and closed set."""
    schemas: Node = {each.name: {"type": "object", "properties": {"a": {}}} for each in models.values()}
    schemas |= {each.name: {"type": "string", "enum": ["a"]} for each in closed_sets.values()}
    paths = {
        f"/{method.facts.arguments['id']}": {
            "get": {
                "operationId": method.facts.arguments["id"],
                "tags": [method.facts.name.resource],
                "responses": {"204": {"description": ""}},
            }
        }
        for method in methods
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "", "version": ""},
        "paths": paths,
        "components": {"schemas": schemas},
    }
