# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The contract, to validate requests and responses against it."""

from __future__ import annotations

import json
from typing import Any


def load() -> dict[str, Any]:
    """Parse the OpenAPI document; each call returns a new copy."""
    document: dict[str, Any] = json.loads(_DOCUMENT)
    return document


_DOCUMENT = r"""
{
 "openapi": "3.1.0",
 "info": {
  "title": "Agent Session Platform API",
  "version": "3",
  "summary": "Manages an autonomous software-engineering assistant platform.",
  "description": "An HTTP and JSON interface with two scopes: an organization (`/v3/organizations/{org_id}/...`) and the enterprise\n(`/v3/enterprise/...`). Access is by bearer credential with role-based permissions.",
  "contact": {
   "name": "The maintainers of this document (a contact of the service is not part of its description)"
  },
  "license": {
   "name": "Apache-2.0 (of this document; the service\u0027s own terms are not part of its description)",
   "identifier": "Apache-2.0"
  },
  "x-vendor": {
   "word": "assistant",
   "credential-prefix": "svc_"
  },
  "x-rules": [
   {
    "id": "auth-permission-missing",
    "text": "A request lacking the permission is answered with 403."
   },
   {
    "id": "auth-credential-invalid",
    "text": "A missing or invalid credential is answered with 401."
   },
   {
    "id": "auth-legacy-keys",
    "text": "Legacy API keys (prefixes `apk_user_` and `apk_`) work on v1 and v2 paths during the deprecation period, are all-or-nothing, and are to be removed; new organizations may not be able to create them."
   },
   {
    "id": "page-size",
    "text": "The page size `first` is at least 1, at most 200 and by default 100."
   },
   {
    "id": "auth-bearer",
    "text": "Credentials go in the header `Authorization: Bearer <ACCESS_TOKEN>`."
   },
   {
    "id": "versioning-prefixes",
    "text": "`/v3/` is current and generally available; `/v3beta1/` and `/v3/beta/` are beta; `/v2/` and `/v1/` are legacy; `/beta/v2/` is for repository indexing."
   },
   {
    "id": "versioning-pagination",
    "text": "Pagination is cursor-based (`first`, `after`); legacy used `offset` and `limit`, and the page size of its v2 enterprise lists was reduced from at most 1000 to at most 200, with a default of 100."
   },
   {
    "id": "versioning-compatibility",
    "text": "Backward compatibility holds within a major version. Breaking changes are announced at least 7 days ahead and recorded in the change history; a deprecation runs through announcement, a deprecation period, then removal."
   },
   {
    "id": "versioning-legacy",
    "text": "Legacy v1 and v2 remain usable during a deprecation period; legacy keys and service-user tokens work side by side; no end-of-life date is given."
   }
  ],
  "x-inferred": "Where the description does not say which kinds of credential an operation accepts, `serviceUser` is encoded, because it calls that the current credential; the operation then has a gap that says so.",
  "x-not-shown": [
   {
    "id": "base-address",
    "what": "A value of the service\u0027s base address {base_url}."
   },
   {
    "id": "rate-limits",
    "what": "Rate limits (numbers, windows, headers). Status 429 is listed for the enterprise user list."
   },
   {
    "id": "error-status-mapping",
    "what": "Which failure condition gives which status for each endpoint, beyond the rules stated."
   },
   {
    "id": "size-limits",
    "what": "Maximum sizes of prompt, name, tags or attachments."
   },
   {
    "id": "events",
    "what": "Events; no webhook or push notification mechanism is described."
   },
   {
    "id": "permission-levels",
    "what": "Whether a permission at enterprise level holds in organizations, too, and what the type of a role says of it."
   },
   {
    "id": "list-order",
    "what": "In which order lists are given, but for audit logs and the session messages of the enterprise scope."
   },
   {
    "id": "list-pagination",
    "what": "Whether lists other than these are paginated: users, sessions and session messages, which the title of the envelope names, and the lists whose own entries name `first` and `after` or pagination. Versioning says only that pagination is cursor-based."
   }
  ]
 },
 "servers": [
  {
   "url": "{base_url}",
   "description": "The base address is not shown; every path is relative to it. The default is a reserved name (RFC 2606) that stands in for the address of a deployment.",
   "variables": {
    "base_url": {
     "default": "https://platform.invalid"
    }
   }
  }
 ],
 "tags": [
  {
   "name": "acu limits",
   "description": "Compute-unit limits."
  },
  {
   "name": "attachments",
   "description": "Attachments."
  },
  {
   "name": "audit logs",
   "description": "Audit logs."
  },
  {
   "name": "automations",
   "description": "What schedules are deprecated in favor of."
  },
  {
   "name": "blueprints",
   "description": "Enterprise-tier snapshot blueprints."
  },
  {
   "name": "consumption",
   "description": "Usage and billing data."
  },
  {
   "name": "default session tags",
   "description": "Organization default session tags."
  },
  {
   "name": "git connections",
   "description": "Connections to git providers."
  },
  {
   "name": "git permissions",
   "description": "Git permissions."
  },
  {
   "name": "guardrail violations",
   "description": "Violations of guardrails (beta)."
  },
  {
   "name": "hypervisors",
   "description": "Hypervisors."
  },
  {
   "name": "idp groups",
   "description": "Identity-provider groups."
  },
  {
   "name": "ip access list",
   "description": "The IP access list."
  },
  {
   "name": "knowledge notes",
   "description": "Knowledge notes."
  },
  {
   "name": "members",
   "description": "Membership of the enterprise and of organizations."
  },
  {
   "name": "metrics",
   "description": "Usage metrics."
  },
  {
   "name": "org group limits",
   "description": "Compute-unit limits of groups of organizations."
  },
  {
   "name": "organizations",
   "description": "The organizations of the enterprise."
  },
  {
   "name": "playbooks",
   "description": "Playbooks."
  },
  {
   "name": "queue",
   "description": "The queue of sessions."
  },
  {
   "name": "repositories",
   "description": "Indexing status of an organization\u0027s repositories."
  },
  {
   "name": "reviews",
   "description": "Automated reviews of pull and merge requests."
  },
  {
   "name": "roles",
   "description": "Named sets of permissions."
  },
  {
   "name": "schedules",
   "description": "Sessions that run once or on a cron recurrence. Deprecated in favor of automations."
  },
  {
   "name": "searches",
   "description": "Searches, with the prefix they are stated with."
  },
  {
   "name": "secrets",
   "description": "Secrets of an organization."
  },
  {
   "name": "service users",
   "description": "Service users, which hold credentials (beta)."
  },
  {
   "name": "sessions",
   "description": "Sessions of the assistant and their messages."
  }
 ],
 "paths": {
  "/v3/organizations/{org_id}/sessions": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "get": {
    "tags": [
     "sessions"
    ],
    "operationId": "list_organization_sessions",
    "summary": "List the sessions of an organization.",
    "description": "The `order` query parameter no longer exists on this endpoint; clients must not send it.",
    "security": [
     {
      "serviceUser": [
       "ViewOrgSessions"
      ]
     },
     {
      "personalAccessToken": [
       "ViewOrgSessions"
      ]
     }
    ],
    "x-permission-level": "organization",
    "x-legacy": "/v1/sessions",
    "x-rules": [
     {
      "id": "session-list-no-order",
      "text": "Clients must not send the query parameter `order`."
     }
    ],
    "x-not-shown": [
     {
      "id": "session-list-parameters",
      "what": "Query parameters other than first, after and origins."
     },
     {
      "id": "session-list-error-statuses",
      "what": "The statuses of the problem-detail bodies."
     }
    ],
    "parameters": [
     {
      "$ref": "#/components/parameters/First"
     },
     {
      "$ref": "#/components/parameters/After"
     },
     {
      "name": "origins",
      "in": "query",
      "required": false,
      "description": "Only sessions of these origins.",
      "x-inferred": "The description says that a filter of this name exists; its plural implies that it takes several.",
      "schema": {
       "type": "array",
       "items": {
        "$ref": "#/components/schemas/SessionOrigin"
       },
       "x-not-shown": [
        {
         "id": "session-list-origins-encoding",
         "what": "How several origins are written into the query (repeated here, the OpenAPI default)."
        }
       ]
      },
      "example": [
       "api",
       "slack"
      ]
     }
    ],
    "responses": {
     "200": {
      "description": "A page of sessions.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/SessionPage"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/ProblemWithCode"
     },
     "default": {
      "$ref": "#/components/responses/ProblemWithCode"
     }
    }
   },
   "post": {
    "tags": [
     "sessions"
    ],
    "operationId": "create_organization_session",
    "summary": "Create a session.",
    "description": "The payload is not shown but for the names of six parameters.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-legacy": "/v1/sessions",
    "x-rules": [
     {
      "id": "session-secrets-temporary",
      "text": "Secrets given as `session_secrets` are temporary and not stored as organization secrets."
     },
     {
      "id": "session-mode-default",
      "text": "Of `assistant_mode` it is said that \"`normal` default behavior is the organization\u0027s default when omitted\"."
     },
     {
      "id": "session-impersonation",
      "text": "Session creation accepts `create_as_user_id` as well (the schedule creation rules tell what it requires)."
     }
    ],
    "x-not-shown": [
     {
      "id": "session-create-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "session-create-request",
      "what": "The request payload beyond the parameters named, and whether one is required."
     },
     {
      "id": "session-create-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "session-create-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "required": false,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/SessionCreate"
       }
      }
     }
    },
    "responses": {
     "2XX": {
      "description": "The session that was created.",
      "x-inferred": "\"Session responses\" are mentioned by the change history; that creation answers with one is implied.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Session"
        }
       }
      },
      "links": {
       "get": {
        "operationId": "get_organization_session",
        "parameters": {
         "org_id": "$request.path.org_id",
         "assistant_id": "$response.body#/session_id"
        }
       },
       "sendMessage": {
        "operationId": "send_organization_session_message",
        "parameters": {
         "org_id": "$request.path.org_id",
         "assistant_id": "$response.body#/session_id"
        }
       },
       "archive": {
        "operationId": "archive_organization_session",
        "parameters": {
         "org_id": "$request.path.org_id",
         "assistant_id": "$response.body#/session_id"
        }
       },
       "terminate": {
        "operationId": "terminate_organization_session",
        "parameters": {
         "org_id": "$request.path.org_id",
         "assistant_id": "$response.body#/session_id"
        }
       },
       "messages": {
        "operationId": "list_enterprise_session_messages",
        "parameters": {
         "assistant_id": "$response.body#/session_id"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/sessions/{assistant_id}": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    },
    {
     "$ref": "#/components/parameters/AssistantId"
    }
   ],
   "get": {
    "tags": [
     "sessions"
    ],
    "operationId": "get_organization_session",
    "x-wait": {
     "list": "list_organization_sessions",
     "gone": [
      "is_archived"
     ]
    },
    "summary": "Get a session.",
    "description": "Legacy clients used `/v1/session/{session_id}`.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-legacy": "/v1/session/{session_id}",
    "x-not-shown": [
     {
      "id": "session-get-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "session-get-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "session-get-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "description": "The session.",
      "x-inferred": "\"Session responses\" are mentioned by the change history; that this is one is implied.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Session"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "tags": [
     "sessions"
    ],
    "operationId": "terminate_organization_session",
    "summary": "Terminate a session.",
    "description": "Exists only in the current API.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-rules": [
     {
      "id": "session-archive-delete-current",
      "text": "Archive and delete session exist only in the current API."
     }
    ],
    "x-not-shown": [
     {
      "id": "session-terminate-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "session-terminate-archive",
      "what": "The type, the values and the effect of the query parameter `archive`."
     },
     {
      "id": "session-terminate-response",
      "what": "The success status, the response payload and the effect on the session\u0027s status."
     },
     {
      "id": "session-terminate-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "name": "archive",
      "in": "query",
      "required": false,
      "description": "Named by the description; its type, its values and its effect are not shown.",
      "schema": {}
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/sessions/{assistant_id}/archive": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    },
    {
     "$ref": "#/components/parameters/AssistantId"
    }
   ],
   "post": {
    "tags": [
     "sessions"
    ],
    "operationId": "archive_organization_session",
    "summary": "Archive a session.",
    "description": "Exists only in the current API.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-rules": [
     {
      "id": "session-archive-delete-current"
     }
    ],
    "x-not-shown": [
     {
      "id": "session-archive-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "session-archive-request",
      "what": "Whether a request payload is taken."
     },
     {
      "id": "session-archive-response",
      "what": "The success status, the response payload and the effect on the session\u0027s status."
     },
     {
      "id": "session-archive-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/sessions/{assistant_id}/insights": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    },
    {
     "$ref": "#/components/parameters/AssistantId"
    }
   ],
   "get": {
    "tags": [
     "sessions"
    ],
    "operationId": "get_organization_session_insights",
    "summary": "Read the insights of a session.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "The generation of insights refers to \"the existing GET insights endpoint\"; its path is that of the generation without `/generate`.",
    "x-not-shown": [
     {
      "id": "organization-insights-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "organization-insights-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "organization-insights-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "organization-insights-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/sessions/{assistant_id}/messages": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    },
    {
     "$ref": "#/components/parameters/AssistantId"
    }
   ],
   "post": {
    "tags": [
     "sessions"
    ],
    "operationId": "send_organization_session_message",
    "summary": "Send a message to a session.",
    "description": "A suspended session is resumed.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-rules": [
     {
      "id": "session-message-resumes",
      "text": "A suspended session is resumed by a message."
     }
    ],
    "x-not-shown": [
     {
      "id": "session-message-legacy",
      "what": "The legacy path that messages are mapped from."
     },
     {
      "id": "session-message-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "session-message-request",
      "what": "The request payload."
     },
     {
      "id": "session-message-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "session-message-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "get": {
    "tags": [
     "sessions"
    ],
    "operationId": "list_organization_session_messages",
    "x-follow": {
     "id": "event_id"
    },
    "summary": "List all messages of a session.",
    "description": "The organization-scope form of the list of messages.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "Versioning lists session messages as promoted at both scopes; the path is stated for sending a message.",
    "x-not-shown": [
     {
      "id": "organization-messages-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "organization-messages-legacy",
      "what": "The legacy path that messages are mapped from."
     },
     {
      "id": "organization-messages-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "organization-messages-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "organization-messages-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "$ref": "#/components/parameters/First"
     },
     {
      "$ref": "#/components/parameters/After"
     }
    ],
    "responses": {
     "2XX": {
      "description": "A page of messages.",
      "x-inferred": "The envelope is used by users, sessions and session messages; that this list has it is implied.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/SessionMessagePage"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/sessions/{assistant_id}/tags": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    },
    {
     "$ref": "#/components/parameters/AssistantId"
    }
   ],
   "get": {
    "tags": [
     "sessions"
    ],
    "operationId": "list_organization_session_tags",
    "summary": "List the tags of a session.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "Versioning lists tags of sessions at both scopes; path and methods follow the pattern of the other parts of a session.",
    "x-not-shown": [
     {
      "id": "organization-session-tags-list-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "organization-session-tags-list-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "organization-session-tags-list-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "organization-session-tags-list-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "put": {
    "tags": [
     "sessions"
    ],
    "operationId": "replace_organization_session_tags",
    "summary": "Replace the tags of a session.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "Versioning lists tags of sessions at both scopes; path and methods follow the pattern of the other parts of a session.",
    "x-not-shown": [
     {
      "id": "organization-session-tags-replace-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "organization-session-tags-replace-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "organization-session-tags-replace-request",
      "what": "The request payload."
     },
     {
      "id": "organization-session-tags-replace-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "organization-session-tags-replace-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/sessions/{assistant_id}/insights/generate": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    },
    {
     "$ref": "#/components/parameters/AssistantId"
    }
   ],
   "post": {
    "tags": [
     "sessions"
    ],
    "operationId": "generate_organization_session_insights",
    "summary": "Generate insights of a session.",
    "description": "Results are read from the GET insights endpoint.",
    "security": [
     {
      "serviceUser": [
       "ManageOrgSessions"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "insights-generate-status",
      "text": "The response has a status: `started` when generation begins, or `already_exists` when insights exist or are in progress; results are read from the existing GET insights endpoint."
     }
    ],
    "x-not-shown": [
     {
      "id": "organization-insights-generate-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "organization-insights-generate-request",
      "what": "Whether a request payload is taken."
     },
     {
      "id": "organization-insights-generate-response",
      "what": "The success status."
     },
     {
      "id": "organization-insights-generate-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "description": "Whether generation began.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/InsightsGeneration"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/schedules": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "post": {
    "tags": [
     "schedules"
    ],
    "operationId": "create_organization_schedule",
    "summary": "Create a schedule.",
    "description": "Deprecated in favor of automations, which use a `schedule:recurring` trigger (an iCalendar RRULE evaluated in UTC) and a `start_session` action.",
    "deprecated": true,
    "x-successor": "organization.automations.create",
    "security": [
     {
      "serviceUser": [
       "ManageOrgSchedules"
      ]
     }
    ],
    "x-permission-level": "organization",
    "x-rules": [
     {
      "id": "schedule-recurring-frequency",
      "text": "`recurring` requires `frequency`, a standard cron expression (the weekday 9 o\u0027clock example is evaluated in UTC)."
     },
     {
      "id": "schedule-one-time-scheduled-at",
      "text": "`one_time` requires `scheduled_at`, ISO 8601 with timezone and in the future; after execution the schedule is disabled automatically (`enabled` becomes false)."
     },
     {
      "id": "schedule-impersonation",
      "text": "Impersonation via `create_as_user_id` requires all of: the service user holds `ImpersonateOrgSessions`; the target user is a member of the organization; the target user holds `UseAssistantSessions`."
     },
     {
      "id": "schedule-agent-contradiction",
      "text": "The description table lists an additional agent type `advanced` (advanced agent), while the field\u0027s allowed options are only `assistant` and `data_analyst`; the two disagree. The allowed options are encoded."
     },
     {
      "id": "schedule-platform-unknown",
      "text": "`platform` is matched case-insensitively against the platforms configured for the organization; an unknown value is rejected with 400 and a list of available platform labels. When omitted, sessions use the organization\u0027s default platform at trigger time."
     },
     {
      "id": "schedule-creation-migrated",
      "text": "From 24 September 2026 schedule creation returns 403 for organizations already migrated to automations; organizations still migrating keep it until migration completes."
     },
     {
      "id": "schedule-existing-keep-working",
      "text": "Read, update and delete keep working for existing schedules, which are to be converted later."
     }
    ],
    "x-not-shown": [
     {
      "id": "schedule-create-errors",
      "what": "The error statuses other than 400 and 403, that of a validation failure among them."
     },
     {
      "id": "schedule-create-credential",
      "what": "The kinds of credential."
     },
     {
      "id": "schedule-platform-labels",
      "what": "The shape in which the 400 body lists the available platform labels."
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/ScheduleCreate"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The schedule that was created.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Schedule"
        }
       }
      }
     },
     "400": {
      "$ref": "#/components/responses/ScheduleFailure"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "4XX": {
      "$ref": "#/components/responses/ScheduleFailure"
     },
     "default": {
      "$ref": "#/components/responses/ScheduleFailure"
     }
    }
   },
   "get": {
    "tags": [
     "schedules"
    ],
    "operationId": "list_organization_schedules",
    "summary": "List the schedules of an organization.",
    "description": "Read, update and delete keep working for existing schedules; schedules are deprecated in favor of automations.",
    "security": [
     {
      "serviceUser": [
       "ManageOrgSchedules"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "schedule-existing-keep-working"
     }
    ],
    "x-not-shown": [
     {
      "id": "schedule-list-level",
      "what": "The level of the permission (at creation, organization), and the kinds of credential."
     },
     {
      "id": "schedule-list-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "schedule-list-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/schedules/{schedule_id}": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    },
    {
     "name": "schedule_id",
     "in": "path",
     "required": true,
     "description": "Id of the schedule; whether it is the `scheduled_session_id` of the Schedule is not shown.",
     "schema": {
      "type": "string"
     },
     "example": "schedule-1"
    }
   ],
   "get": {
    "tags": [
     "schedules"
    ],
    "operationId": "get_organization_schedule",
    "x-wait": {},
    "summary": "Get a schedule.",
    "description": "Read, update and delete keep working for existing schedules; schedules are deprecated in favor of automations.",
    "security": [
     {
      "serviceUser": [
       "ManageOrgSchedules"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "schedule-existing-keep-working"
     },
     {
      "id": "schedule-converted",
      "text": "A converted schedule\u0027s GET response points to the replacement automation."
     }
    ],
    "x-not-shown": [
     {
      "id": "schedule-get-level",
      "what": "The level of the permission (at creation, organization), and the kinds of credential."
     },
     {
      "id": "schedule-get-replacement",
      "what": "How the response points to the replacement automation."
     },
     {
      "id": "schedule-get-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "schedule-get-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "description": "The schedule.",
      "x-inferred": "Creation answers with a Schedule; that reading one does is implied.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Schedule"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "patch": {
    "tags": [
     "schedules"
    ],
    "operationId": "update_organization_schedule",
    "summary": "Update a schedule.",
    "description": "Read, update and delete keep working for existing schedules; schedules are deprecated in favor of automations.",
    "security": [
     {
      "serviceUser": [
       "ManageOrgSchedules"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "schedule-existing-keep-working"
     }
    ],
    "x-not-shown": [
     {
      "id": "schedule-update-level",
      "what": "The level of the permission (at creation, organization), and the kinds of credential."
     },
     {
      "id": "schedule-update-request",
      "what": "The request payload."
     },
     {
      "id": "schedule-update-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "schedule-update-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "description": "The schedule.",
      "x-inferred": "Creation answers with a Schedule; that an update does is implied.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Schedule"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "tags": [
     "schedules"
    ],
    "operationId": "delete_organization_schedule",
    "summary": "Delete a schedule.",
    "description": "Read, update and delete keep working for existing schedules; schedules are deprecated in favor of automations.",
    "security": [
     {
      "serviceUser": [
       "ManageOrgSchedules"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "schedule-existing-keep-working"
     }
    ],
    "x-not-shown": [
     {
      "id": "schedule-delete-level",
      "what": "The level of the permission (at creation, organization), and the kinds of credential."
     },
     {
      "id": "schedule-delete-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "schedule-delete-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/automations": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "get": {
    "tags": [
     "automations"
    ],
    "operationId": "list_organization_automations",
    "summary": "List the automations of an organization.",
    "description": "Filters exist for search, creator, enabled, event type, agent type and metadata.",
    "security": [
     {
      "serviceUser": [
       "ViewOrgAutomations"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "automation-enablement"
     }
    ],
    "x-not-shown": [
     {
      "id": "automation-list-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "automation-list-filters",
      "what": "The names and the types of the filters."
     },
     {
      "id": "automation-list-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "automation-list-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "name": "search",
      "in": "query",
      "required": false,
      "description": "Filter by a search; what is searched, and how, is not shown.",
      "x-inferred": "The name is the description\u0027s word for the filter.",
      "schema": {}
     },
     {
      "name": "creator",
      "in": "query",
      "required": false,
      "description": "Filter by creator; how a creator is named is not shown.",
      "x-inferred": "The name is the description\u0027s word for the filter.",
      "schema": {}
     },
     {
      "name": "enabled",
      "in": "query",
      "required": false,
      "description": "Filter by whether an automation is enabled; the values are not shown.",
      "x-inferred": "The name is the description\u0027s word for the filter.",
      "schema": {}
     },
     {
      "name": "metadata",
      "in": "query",
      "required": false,
      "description": "Filter by metadata; its form is not shown.",
      "x-inferred": "The name is the description\u0027s word for the filter.",
      "schema": {}
     },
     {
      "name": "event_type",
      "in": "query",
      "required": false,
      "description": "Filter by event type; the types are not shown.",
      "x-inferred": "The name is the description\u0027s words as the API writes names.",
      "schema": {}
     },
     {
      "name": "agent_type",
      "in": "query",
      "required": false,
      "description": "Filter by agent type; the types are not shown.",
      "x-inferred": "The name is the description\u0027s words as the API writes names.",
      "schema": {}
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "post": {
    "tags": [
     "automations"
    ],
    "operationId": "create_organization_automation",
    "summary": "Create an automation.",
    "description": "A `schedule:recurring` trigger (an iCalendar RRULE evaluated in UTC) and a `start_session` action replace a schedule.",
    "security": [
     {
      "serviceUser": [
       "ManageOrgAutomations"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "automation-enablement"
     },
     {
      "id": "automation-recurring",
      "text": "Automations use a `schedule:recurring` trigger (an iCalendar RRULE evaluated in UTC) and a `start_session` action in the place of schedules."
     }
    ],
    "x-not-shown": [
     {
      "id": "automation-create-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "automation-create-request",
      "what": "The request payload."
     },
     {
      "id": "automation-create-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "automation-create-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/automations/schemas": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "get": {
    "tags": [
     "automations"
    ],
    "operationId": "list_organization_automation_schemas",
    "summary": "List trigger event schemas, condition operators and reply verbs.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": [
       "ViewOrgAutomations"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "automation-enablement"
     }
    ],
    "x-not-shown": [
     {
      "id": "automation-schemas-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "automation-schemas-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "automation-schemas-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/automations/templates": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "get": {
    "tags": [
     "automations"
    ],
    "operationId": "list_organization_automation_templates",
    "summary": "List the built-in templates.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": [
       "ViewOrgAutomations"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "automation-enablement"
     }
    ],
    "x-not-shown": [
     {
      "id": "automation-templates-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "automation-templates-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "automation-templates-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/automations/{automation_id}": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    },
    {
     "name": "automation_id",
     "in": "path",
     "required": true,
     "description": "Id of the automation.",
     "schema": {
      "type": "string"
     },
     "example": "automation-1"
    }
   ],
   "patch": {
    "tags": [
     "automations"
    ],
    "operationId": "update_organization_automation",
    "summary": "Update an automation.",
    "description": "The body is merged into the automation member by member.",
    "security": [
     {
      "serviceUser": [
       "ManageOrgAutomations"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "automation-update-merge",
      "text": "An update is a member-wise merge."
     },
     {
      "id": "automation-enablement",
      "text": "Automations must be enabled for an organization before its endpoints can be used."
     }
    ],
    "x-not-shown": [
     {
      "id": "automation-update-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "automation-update-media-type",
      "what": "The media type of the request body (a member-wise merge; merge-patch, RFC 7396, is used)."
     },
     {
      "id": "automation-update-request",
      "what": "The request payload."
     },
     {
      "id": "automation-update-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "automation-update-errors",
      "what": "The error statuses, that of an organization without automations among them."
     }
    ],
    "requestBody": {
     "required": true,
     "x-inferred": "An update by a member-wise merge implies a body; RFC 7396 is the standard form of one.",
     "content": {
      "application/merge-patch+json": {
       "schema": {
        "$ref": "#/components/schemas/NotShown"
       }
      }
     }
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "get": {
    "tags": [
     "automations"
    ],
    "operationId": "get_organization_automation",
    "summary": "Get an automation.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": [
       "ViewOrgAutomations"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "automation-enablement"
     }
    ],
    "x-not-shown": [
     {
      "id": "automation-get-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "automation-get-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "automation-get-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "tags": [
     "automations"
    ],
    "operationId": "delete_organization_automation",
    "summary": "Soft-delete an automation.",
    "description": "The automation that the path names.",
    "security": [
     {
      "serviceUser": [
       "ManageOrgAutomations"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "automation-enablement"
     },
     {
      "id": "automation-soft-delete",
      "text": "Deletion is a soft delete."
     }
    ],
    "x-not-shown": [
     {
      "id": "automation-delete-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "automation-delete-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "automation-delete-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/default-session-tags": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "get": {
    "tags": [
     "default session tags"
    ],
    "operationId": "list_organization_default_session_tags",
    "summary": "List the default session tags of an organization.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "Versioning lists \"organization default session tags\" as promoted; neither path nor methods are stated, these follow the naming of the others.",
    "x-not-shown": [
     {
      "id": "default-session-tags-list-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "default-session-tags-list-path",
      "what": "The path and the methods."
     },
     {
      "id": "default-session-tags-list-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "default-session-tags-list-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "put": {
    "tags": [
     "default session tags"
    ],
    "operationId": "replace_organization_default_session_tags",
    "summary": "Replace the default session tags of an organization.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "Versioning lists \"organization default session tags\" as promoted; neither path nor methods are stated, these follow the naming of the others.",
    "x-not-shown": [
     {
      "id": "default-session-tags-replace-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "default-session-tags-replace-path",
      "what": "The path and the methods."
     },
     {
      "id": "default-session-tags-replace-request",
      "what": "The request payload."
     },
     {
      "id": "default-session-tags-replace-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "default-session-tags-replace-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/knowledge/notes": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "get": {
    "tags": [
     "knowledge notes"
    ],
    "operationId": "list_organization_knowledge_notes",
    "summary": "List the knowledge notes of an organization.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-legacy": "/v1/knowledge",
    "x-inferred": "The legacy path `/v1/knowledge` maps to this one; the methods follow from \"update and delete\" of a note and from the usual ones of a collection.",
    "x-not-shown": [
     {
      "id": "knowledge-note-list-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "knowledge-note-list-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "knowledge-note-list-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "knowledge-note-list-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "post": {
    "tags": [
     "knowledge notes"
    ],
    "operationId": "create_organization_knowledge_note",
    "summary": "Create a knowledge note.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-legacy": "/v1/knowledge",
    "x-inferred": "The legacy path `/v1/knowledge` maps to this one; the methods follow from \"update and delete\" of a note and from the usual ones of a collection.",
    "x-not-shown": [
     {
      "id": "knowledge-note-create-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "knowledge-note-create-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "knowledge-note-create-request",
      "what": "The request payload."
     },
     {
      "id": "knowledge-note-create-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "knowledge-note-create-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/knowledge/notes/{note_id}": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    },
    {
     "name": "note_id",
     "in": "path",
     "required": true,
     "description": "Id of the note.",
     "schema": {
      "type": "string"
     },
     "example": "note-1"
    }
   ],
   "put": {
    "tags": [
     "knowledge notes"
    ],
    "operationId": "update_organization_knowledge_note",
    "summary": "Update a knowledge note.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-legacy": "/v1/knowledge/{note_id}",
    "x-inferred": "The legacy path `/v1/knowledge` maps to this one; the methods follow from \"update and delete\" of a note and from the usual ones of a collection.",
    "x-not-shown": [
     {
      "id": "knowledge-note-update-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "knowledge-note-update-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "knowledge-note-update-request",
      "what": "The request payload."
     },
     {
      "id": "knowledge-note-update-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "knowledge-note-update-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "tags": [
     "knowledge notes"
    ],
    "operationId": "delete_organization_knowledge_note",
    "summary": "Delete a knowledge note.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-legacy": "/v1/knowledge/{note_id}",
    "x-inferred": "The legacy path `/v1/knowledge` maps to this one; the methods follow from \"update and delete\" of a note and from the usual ones of a collection.",
    "x-not-shown": [
     {
      "id": "knowledge-note-delete-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "knowledge-note-delete-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "knowledge-note-delete-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "knowledge-note-delete-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/playbooks": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "get": {
    "tags": [
     "playbooks"
    ],
    "operationId": "list_organization_playbooks",
    "summary": "List the playbooks of an organization.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-legacy": "/v1/playbooks",
    "x-inferred": "The legacy path `/v1/playbooks` maps to this one, \"with `/{playbook_id}`\"; the methods are the usual ones of a collection and of one of its things.",
    "x-not-shown": [
     {
      "id": "playbook-list-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "playbook-list-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "playbook-list-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "playbook-list-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "post": {
    "tags": [
     "playbooks"
    ],
    "operationId": "create_organization_playbook",
    "summary": "Create a playbook.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-legacy": "/v1/playbooks",
    "x-inferred": "The legacy path `/v1/playbooks` maps to this one, \"with `/{playbook_id}`\"; the methods are the usual ones of a collection and of one of its things.",
    "x-not-shown": [
     {
      "id": "playbook-create-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "playbook-create-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "playbook-create-request",
      "what": "The request payload."
     },
     {
      "id": "playbook-create-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "playbook-create-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/playbooks/{playbook_id}": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    },
    {
     "name": "playbook_id",
     "in": "path",
     "required": true,
     "description": "Id of the playbook.",
     "schema": {
      "type": "string"
     },
     "example": "playbook-1"
    }
   ],
   "get": {
    "tags": [
     "playbooks"
    ],
    "operationId": "get_organization_playbook",
    "summary": "Get a playbook.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-legacy": "/v1/playbooks/{playbook_id}",
    "x-inferred": "The legacy path `/v1/playbooks` maps to this one, \"with `/{playbook_id}`\"; the methods are the usual ones of a collection and of one of its things.",
    "x-not-shown": [
     {
      "id": "playbook-get-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "playbook-get-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "playbook-get-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "playbook-get-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "put": {
    "tags": [
     "playbooks"
    ],
    "operationId": "update_organization_playbook",
    "summary": "Update a playbook.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-legacy": "/v1/playbooks/{playbook_id}",
    "x-inferred": "The legacy path `/v1/playbooks` maps to this one, \"with `/{playbook_id}`\"; the methods are the usual ones of a collection and of one of its things.",
    "x-not-shown": [
     {
      "id": "playbook-update-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "playbook-update-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "playbook-update-request",
      "what": "The request payload."
     },
     {
      "id": "playbook-update-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "playbook-update-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "tags": [
     "playbooks"
    ],
    "operationId": "delete_organization_playbook",
    "summary": "Delete a playbook.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-legacy": "/v1/playbooks/{playbook_id}",
    "x-inferred": "The legacy path `/v1/playbooks` maps to this one, \"with `/{playbook_id}`\"; the methods are the usual ones of a collection and of one of its things.",
    "x-not-shown": [
     {
      "id": "playbook-delete-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "playbook-delete-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "playbook-delete-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "playbook-delete-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/secrets": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "get": {
    "tags": [
     "secrets"
    ],
    "operationId": "list_organization_secrets",
    "summary": "List the secrets of an organization.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": [
       "ManageOrgSecrets"
      ]
     }
    ],
    "x-stated-path": "/v3beta1/organizations/{org_id}/secrets",
    "x-legacy": "/v1/secrets",
    "x-not-shown": [
     {
      "id": "secret-list-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "secret-list-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "secret-list-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "post": {
    "tags": [
     "secrets"
    ],
    "operationId": "create_organization_secret",
    "summary": "Create a secret.",
    "description": "The payload is not shown but for the types of a secret.",
    "x-secret": true,
    "security": [
     {
      "serviceUser": [
       "ManageOrgSecrets"
      ]
     }
    ],
    "x-stated-path": "/v3beta1/organizations/{org_id}/secrets",
    "x-legacy": "/v1/secrets",
    "x-rules": [
     {
      "id": "secret-type-dictionary",
      "text": "The `dictionary` secret type is recognized but deprecated for creation; use `cookie`, `key-value` or `totp`."
     }
    ],
    "x-not-shown": [
     {
      "id": "secret-create-type",
      "what": "The name of the member that has the type, and further types."
     },
     {
      "id": "secret-create-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "secret-create-request",
      "what": "The request payload."
     },
     {
      "id": "secret-create-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "secret-create-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/secrets/{secret_id}": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    },
    {
     "name": "secret_id",
     "in": "path",
     "required": true,
     "description": "Id of the secret.",
     "schema": {
      "type": "string"
     },
     "example": "secret-1"
    }
   ],
   "delete": {
    "tags": [
     "secrets"
    ],
    "operationId": "delete_organization_secret",
    "summary": "Delete a secret.",
    "description": "The secret that the path names.",
    "security": [
     {
      "serviceUser": [
       "ManageOrgSecrets"
      ]
     }
    ],
    "x-legacy": "/v1/secrets/{secret_id}",
    "x-stated-path": "/v3beta1/organizations/{org_id}/secrets/{secret_id}",
    "x-not-shown": [
     {
      "id": "secret-delete-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "secret-delete-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "secret-delete-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/attachments": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "post": {
    "tags": [
     "attachments"
    ],
    "operationId": "upload_organization_attachment",
    "summary": "Upload an attachment.",
    "description": "The form in which a file is sent is not shown; a multipart form is used.",
    "security": [
     {
      "serviceUser": [
       "UseAssistantSessions"
      ]
     }
    ],
    "x-vendor-word": [
     "UseAssistantSessions"
    ],
    "x-stated-path": "/v3beta1/organizations/{org_id}/attachments",
    "x-not-shown": [
     {
      "id": "attachment-upload-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "attachment-upload-request",
      "what": "The media type and the names of the parts; a multipart form with a part `file` is used."
     },
     {
      "id": "attachment-upload-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "attachment-upload-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "required": true,
     "x-inferred": "An upload carries a file; how is not shown, and all bodies are said to be JSON.",
     "content": {
      "multipart/form-data": {
       "schema": {
        "$ref": "#/components/schemas/AttachmentUpload"
       }
      }
     }
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/attachments/{uuid}/{name}": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    },
    {
     "name": "uuid",
     "in": "path",
     "required": true,
     "description": "UUID of the attachment.",
     "schema": {
      "type": "string"
     },
     "example": "0b7a6a1e-5f0c-4d57-9a0c-0f8f5b1f6d10"
    },
    {
     "name": "name",
     "in": "path",
     "required": true,
     "description": "Name of the attachment; the description says no more of it.",
     "schema": {
      "type": "string"
     },
     "example": "report.pdf"
    }
   ],
   "get": {
    "tags": [
     "attachments"
    ],
    "operationId": "download_organization_attachment",
    "summary": "Download an attachment.",
    "description": "The file.",
    "security": [
     {
      "serviceUser": [
       "ViewOrgSessions"
      ]
     }
    ],
    "x-stated-path": "/v3beta1/organizations/{org_id}/attachments/{uuid}/{name}",
    "x-not-shown": [
     {
      "id": "attachment-download-level",
      "what": "The level of the permission (of the session list, organization), and the kinds of credential."
     },
     {
      "id": "attachment-download-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "attachment-download-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "description": "The file.",
      "x-inferred": "A download answers with a file; in which media type is not shown.",
      "content": {
       "application/octet-stream": {
        "schema": {
         "$ref": "#/components/schemas/FileContent"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/organizations/{org_id}/audit-logs": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "get": {
    "tags": [
     "audit logs"
    ],
    "operationId": "list_organization_audit_logs",
    "x-follow": {
     "query": {
      "order": "asc"
     }
    },
    "summary": "List the audit log of an organization.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "The description says \"(and organization scope)\"; the path follows that of the enterprise scope.",
    "x-not-shown": [
     {
      "id": "organization-audit-logs-path",
      "what": "The path."
     },
     {
      "id": "organization-audit-logs-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "organization-audit-logs-parameters",
      "what": "Query parameters other than order."
     },
     {
      "id": "organization-audit-logs-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "organization-audit-logs-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "$ref": "#/components/parameters/AuditOrder"
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/members/idp-users": {
   "get": {
    "tags": [
     "members"
    ],
    "operationId": "list_enterprise_member_idp_users",
    "summary": "List the users that come from identity-provider groups.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "The user list refers to \"a separate IDP-group users endpoint\"; its path follows that of the organization scope.",
    "x-not-shown": [
     {
      "id": "member-idp-users-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "member-idp-users-path",
      "what": "The path."
     },
     {
      "id": "member-idp-users-response",
      "what": "The success status, the response payload, and whether the list is paginated, as that of the organization scope is (list-pagination)."
     },
     {
      "id": "member-idp-users-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/members/users": {
   "get": {
    "tags": [
     "members"
    ],
    "operationId": "list_enterprise_member_users",
    "summary": "List the users that have direct role assignments.",
    "description": "Users whose membership derives from identity-provider group assignment are listed by a separate IDP-group users endpoint.",
    "security": [
     {
      "serviceUser": [
       "ViewAccountMembership"
      ]
     }
    ],
    "x-permission-level": "enterprise",
    "x-rules": [
     {
      "id": "member-users-direct",
      "text": "Only users that have direct role assignments are listed."
     },
     {
      "id": "member-users-email-exact",
      "text": "The `email` filter is an exact match."
     }
    ],
    "parameters": [
     {
      "$ref": "#/components/parameters/After"
     },
     {
      "$ref": "#/components/parameters/First"
     },
     {
      "name": "email",
      "in": "query",
      "required": false,
      "description": "Only the user with exactly this email address.",
      "schema": {
       "type": [
        "string",
        "null"
       ]
      },
      "example": "ada@example.com"
     }
    ],
    "responses": {
     "200": {
      "description": "A page of users.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/EnterpriseUserPage"
        }
       }
      }
     },
     "401": {
      "$ref": "#/components/responses/Problem"
     },
     "403": {
      "$ref": "#/components/responses/Problem"
     },
     "404": {
      "$ref": "#/components/responses/Problem"
     },
     "409": {
      "$ref": "#/components/responses/Problem"
     },
     "422": {
      "$ref": "#/components/responses/Problem"
     },
     "429": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/pr-reviews": {
   "post": {
    "tags": [
     "reviews"
    ],
    "operationId": "create_enterprise_review",
    "summary": "Trigger a review of a pull or merge request.",
    "description": "The latest commit of the pull request is reviewed.",
    "security": [
     {
      "serviceUser": [
       "UseReviewManual"
      ]
     }
    ],
    "x-permission-level": "enterprise",
    "x-rules": [
     {
      "id": "review-latest-commit",
      "text": "The review always targets the latest commit of the pull request, which is always fetched; a record is created for a worker pool to pick up."
     },
     {
      "id": "review-starts-pending",
      "text": "A newly accepted review starts as `pending`."
     }
    ],
    "x-not-shown": [
     {
      "id": "review-error-statuses",
      "what": "The statuses of the six problem-detail bodies."
     }
    ],
    "requestBody": {
     "required": true,
     "content": {
      "application/json": {
       "schema": {
        "$ref": "#/components/schemas/ReviewCreate"
       }
      }
     }
    },
    "responses": {
     "200": {
      "description": "The review that was accepted.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Review"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/sessions": {
   "get": {
    "tags": [
     "sessions"
    ],
    "operationId": "list_enterprise_sessions",
    "summary": "List the sessions of the enterprise.",
    "description": "With an optional filter by organizations.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-not-shown": [
     {
      "id": "enterprise-sessions-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "enterprise-sessions-org-ids",
      "what": "The type of org_ids and how several are written into the query."
     },
     {
      "id": "enterprise-sessions-parameters",
      "what": "Query parameters other than first, after and org_ids."
     },
     {
      "id": "enterprise-sessions-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "enterprise-sessions-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "$ref": "#/components/parameters/First"
     },
     {
      "$ref": "#/components/parameters/After"
     },
     {
      "name": "org_ids",
      "in": "query",
      "required": false,
      "description": "Only sessions of the organizations with these ids.",
      "x-inferred": "The description calls it an optional org_ids filter; its plural implies that it takes several.",
      "schema": {
       "type": "array",
       "items": {
        "type": "string"
       }
      }
     }
    ],
    "responses": {
     "2XX": {
      "description": "A page of sessions.",
      "x-inferred": "The envelope is used by users, sessions and session messages; that this list has it is implied.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/SessionPage"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "post": {
    "tags": [
     "sessions"
    ],
    "operationId": "create_enterprise_session",
    "summary": "Create a session.",
    "description": "The enterprise-scope form of session creation.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "Versioning lists sessions (create, list, get, messages, archive, terminate, tags, insights) as promoted at both scopes; method and path mirror those of the organization scope.",
    "x-not-shown": [
     {
      "id": "enterprise-session-create-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "enterprise-session-create-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "enterprise-session-create-request",
      "what": "The request payload."
     },
     {
      "id": "enterprise-session-create-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "enterprise-session-create-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "description": "The session that was created.",
      "x-inferred": "\"Session responses\" are mentioned by the change history; that this is one is implied.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Session"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/sessions/{assistant_id}": {
   "parameters": [
    {
     "$ref": "#/components/parameters/AssistantId"
    }
   ],
   "get": {
    "tags": [
     "sessions"
    ],
    "operationId": "get_enterprise_session",
    "x-wait": {
     "list": "list_enterprise_sessions",
     "gone": [
      "is_archived"
     ]
    },
    "summary": "Get a session.",
    "description": "The enterprise-scope form of reading a session.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "Versioning lists sessions (create, list, get, messages, archive, terminate, tags, insights) as promoted at both scopes; method and path mirror those of the organization scope.",
    "x-not-shown": [
     {
      "id": "enterprise-session-get-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "enterprise-session-get-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "enterprise-session-get-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "enterprise-session-get-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "description": "The session.",
      "x-inferred": "\"Session responses\" are mentioned by the change history; that this is one is implied.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Session"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "tags": [
     "sessions"
    ],
    "operationId": "terminate_enterprise_session",
    "summary": "Terminate a session.",
    "description": "The enterprise-scope form of termination.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "Versioning lists sessions (create, list, get, messages, archive, terminate, tags, insights) as promoted at both scopes; method and path mirror those of the organization scope.",
    "x-not-shown": [
     {
      "id": "enterprise-session-terminate-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "enterprise-session-terminate-archive",
      "what": "Whether the query parameter `archive` is taken here."
     },
     {
      "id": "enterprise-session-terminate-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "enterprise-session-terminate-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "enterprise-session-terminate-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/sessions/{assistant_id}/archive": {
   "parameters": [
    {
     "$ref": "#/components/parameters/AssistantId"
    }
   ],
   "post": {
    "tags": [
     "sessions"
    ],
    "operationId": "archive_enterprise_session",
    "summary": "Archive a session.",
    "description": "The enterprise-scope form of archiving.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "Versioning lists sessions (create, list, get, messages, archive, terminate, tags, insights) as promoted at both scopes; method and path mirror those of the organization scope.",
    "x-not-shown": [
     {
      "id": "enterprise-session-archive-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "enterprise-session-archive-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "enterprise-session-archive-request",
      "what": "Whether a request payload is taken."
     },
     {
      "id": "enterprise-session-archive-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "enterprise-session-archive-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/sessions/{assistant_id}/insights": {
   "parameters": [
    {
     "$ref": "#/components/parameters/AssistantId"
    }
   ],
   "get": {
    "tags": [
     "sessions"
    ],
    "operationId": "get_enterprise_session_insights",
    "summary": "Read the insights of a session.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "The generation of insights refers to \"the existing GET insights endpoint\"; its path is that of the generation without `/generate`.",
    "x-not-shown": [
     {
      "id": "enterprise-insights-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "enterprise-insights-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "enterprise-insights-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "enterprise-insights-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/sessions/{assistant_id}/messages": {
   "parameters": [
    {
     "$ref": "#/components/parameters/AssistantId"
    }
   ],
   "get": {
    "tags": [
     "sessions"
    ],
    "operationId": "list_enterprise_session_messages",
    "x-follow": {
     "id": "event_id"
    },
    "summary": "List all messages of a session.",
    "description": "In chronological order, with cursor-based pagination.",
    "security": [
     {
      "serviceUser": [
       "ViewAccountSessions"
      ]
     }
    ],
    "x-permission-level": "enterprise",
    "x-rules": [
     {
      "id": "messages-chronological",
      "text": "Messages are listed in chronological order."
     }
    ],
    "x-not-shown": [
     {
      "id": "messages-error-statuses",
      "what": "The statuses of the six problem-detail bodies."
     }
    ],
    "parameters": [
     {
      "$ref": "#/components/parameters/First"
     },
     {
      "$ref": "#/components/parameters/After"
     }
    ],
    "responses": {
     "200": {
      "description": "A page of messages.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/SessionMessagePage"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "post": {
    "tags": [
     "sessions"
    ],
    "operationId": "send_enterprise_session_message",
    "summary": "Send a message to a session.",
    "description": "The enterprise-scope form of sending a message.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "Versioning lists sessions (create, list, get, messages, archive, terminate, tags, insights) as promoted at both scopes; method and path mirror those of the organization scope.",
    "x-not-shown": [
     {
      "id": "enterprise-session-message-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "enterprise-session-message-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "enterprise-session-message-request",
      "what": "The request payload."
     },
     {
      "id": "enterprise-session-message-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "enterprise-session-message-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/sessions/{assistant_id}/tags": {
   "parameters": [
    {
     "$ref": "#/components/parameters/AssistantId"
    }
   ],
   "get": {
    "tags": [
     "sessions"
    ],
    "operationId": "list_enterprise_session_tags",
    "summary": "List the tags of a session.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "Versioning lists tags of sessions at both scopes; path and methods follow the pattern of the other parts of a session.",
    "x-not-shown": [
     {
      "id": "enterprise-session-tags-list-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "enterprise-session-tags-list-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "enterprise-session-tags-list-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "enterprise-session-tags-list-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "put": {
    "tags": [
     "sessions"
    ],
    "operationId": "replace_enterprise_session_tags",
    "summary": "Replace the tags of a session.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-inferred": "Versioning lists tags of sessions at both scopes; path and methods follow the pattern of the other parts of a session.",
    "x-not-shown": [
     {
      "id": "enterprise-session-tags-replace-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "enterprise-session-tags-replace-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "enterprise-session-tags-replace-request",
      "what": "The request payload."
     },
     {
      "id": "enterprise-session-tags-replace-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "enterprise-session-tags-replace-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/sessions/{assistant_id}/insights/generate": {
   "parameters": [
    {
     "$ref": "#/components/parameters/AssistantId"
    }
   ],
   "post": {
    "tags": [
     "sessions"
    ],
    "operationId": "generate_enterprise_session_insights",
    "summary": "Generate insights of a session.",
    "description": "Results are read from the GET insights endpoint.",
    "security": [
     {
      "serviceUser": [
       "ManageOrgSessions"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "insights-generate-status"
     }
    ],
    "x-not-shown": [
     {
      "id": "enterprise-insights-generate-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "enterprise-insights-generate-request",
      "what": "Whether a request payload is taken."
     },
     {
      "id": "enterprise-insights-generate-response",
      "what": "The success status."
     },
     {
      "id": "enterprise-insights-generate-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "description": "Whether generation began.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/InsightsGeneration"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/snapshot-setup/blueprints": {
   "get": {
    "tags": [
     "blueprints"
    ],
    "operationId": "list_enterprise_blueprints",
    "summary": "List the enterprise-tier blueprints.",
    "description": "The list does not use the paginated envelope.",
    "security": [
     {
      "serviceUser": [
       "ManageAccountSnapshots"
      ]
     },
     {
      "personalAccessToken": [
       "ManageAccountSnapshots"
      ]
     }
    ],
    "x-permission-level": "enterprise",
    "x-not-shown": [
     {
      "id": "blueprint-list-parameters",
      "what": "Parameters; none are shown."
     },
     {
      "id": "blueprint-list-error-statuses",
      "what": "The statuses of the problem-detail bodies."
     }
    ],
    "responses": {
     "200": {
      "description": "The blueprints.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/BlueprintList"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/ProblemWithCode"
     },
     "default": {
      "$ref": "#/components/responses/ProblemWithCode"
     }
    }
   }
  },
  "/v3/enterprise/snapshot-setup/blueprints/{blueprint_id}": {
   "parameters": [
    {
     "name": "blueprint_id",
     "in": "path",
     "required": true,
     "description": "Id of the blueprint.",
     "schema": {
      "type": "string"
     },
     "example": "blueprint-1"
    }
   ],
   "delete": {
    "tags": [
     "blueprints"
    ],
    "operationId": "delete_enterprise_blueprint",
    "summary": "Soft-delete an enterprise blueprint.",
    "description": "The blueprint that the path names.",
    "security": [
     {
      "serviceUser": [
       "ManageAccountSnapshots"
      ]
     },
     {
      "personalAccessToken": [
       "ManageAccountSnapshots"
      ]
     }
    ],
    "x-permission-level": "enterprise",
    "x-rules": [
     {
      "id": "blueprint-soft-delete",
      "text": "The record is soft-deleted; the name of the resulting state is not stated as a value."
     }
    ],
    "x-not-shown": [
     {
      "id": "blueprint-deleted-state",
      "what": "The name of the resulting state."
     },
     {
      "id": "blueprint-delete-response",
      "what": "The success status and body."
     },
     {
      "id": "blueprint-delete-error-statuses",
      "what": "The statuses of the problem-detail bodies."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/ProblemWithCode"
     },
     "default": {
      "$ref": "#/components/responses/ProblemWithCode"
     }
    }
   }
  },
  "/v3/enterprise/organizations": {
   "get": {
    "tags": [
     "organizations"
    ],
    "operationId": "list_enterprise_organizations",
    "summary": "List the organizations of the enterprise.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-not-shown": [
     {
      "id": "organization-list-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "organization-list-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "organization-list-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/roles": {
   "get": {
    "tags": [
     "roles"
    ],
    "operationId": "list_enterprise_roles",
    "summary": "List the roles.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-not-shown": [
     {
      "id": "role-list-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "role-list-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "role-list-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/audit-logs": {
   "get": {
    "tags": [
     "audit logs"
    ],
    "operationId": "list_enterprise_audit_logs",
    "x-follow": {
     "query": {
      "order": "asc"
     }
    },
    "summary": "List the audit log of the enterprise.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-not-shown": [
     {
      "id": "enterprise-audit-logs-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "enterprise-audit-logs-parameters",
      "what": "Query parameters other than order."
     },
     {
      "id": "enterprise-audit-logs-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "enterprise-audit-logs-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "$ref": "#/components/parameters/AuditOrder"
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/consumption/{tail}": {
   "parameters": [
    {
     "name": "tail",
     "in": "path",
     "required": true,
     "description": "The rest of the path; the description writes a wildcard and shows no sub-path but those stated.",
     "x-wildcard": true,
     "schema": {
      "type": "string"
     },
     "example": "anything"
    }
   ],
   "get": {
    "tags": [
     "consumption"
    ],
    "operationId": "get_enterprise_consumption",
    "summary": "Read usage and billing data.",
    "description": "The description writes `consumption/*`; no sub-path is invented here.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-not-shown": [
     {
      "id": "consumption-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "consumption-paths",
      "what": "The sub-paths and their parameters."
     },
     {
      "id": "consumption-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "consumption-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/metrics/{tail}": {
   "parameters": [
    {
     "name": "tail",
     "in": "path",
     "required": true,
     "description": "The rest of the path; the description writes a wildcard and shows no sub-path but those stated.",
     "x-wildcard": true,
     "schema": {
      "type": "string"
     },
     "example": "anything"
    }
   ],
   "get": {
    "tags": [
     "metrics"
    ],
    "operationId": "get_enterprise_metrics",
    "summary": "Read usage metrics.",
    "description": "The description writes `metrics/*`; no sub-path is invented here but the one that is stated.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-not-shown": [
     {
      "id": "metrics-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "metrics-paths",
      "what": "The sub-paths and their parameters."
     },
     {
      "id": "metrics-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "metrics-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/metrics/active-users": {
   "get": {
    "tags": [
     "metrics"
    ],
    "operationId": "get_enterprise_active_users",
    "summary": "Count the unique users of a date range.",
    "description": "A single unique-user count for a date range, with filters by organization ids, min_sessions and min_searches.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-stated-path": "/v3beta1/enterprise/metrics/active-users",
    "x-not-shown": [
     {
      "id": "active-users-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "active-users-parameters",
      "what": "The names of the date range\u0027s parameters, and the names and types of the others."
     },
     {
      "id": "active-users-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "active-users-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "name": "min_sessions",
      "in": "query",
      "required": false,
      "description": "Filter by a minimum number of sessions.",
      "schema": {}
     },
     {
      "name": "min_searches",
      "in": "query",
      "required": false,
      "description": "Filter by a minimum number of searches.",
      "schema": {}
     },
     {
      "name": "org_ids",
      "in": "query",
      "required": false,
      "description": "Only users of the organizations with these ids.",
      "x-inferred": "The description says organization ids; the enterprise session list has the filter by this name.",
      "schema": {
       "type": "array",
       "items": {
        "type": "string"
       }
      }
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/consumption/acu-limits/assistant-equivalent": {
   "x-vendor-word": [
    "assistant-equivalent"
   ],
   "get": {
    "tags": [
     "acu limits"
    ],
    "operationId": "get_enterprise_acu_limits",
    "summary": "Read the compute-unit limits.",
    "description": "The description\u0027s table writes another word in this segment; by its own naming rule the segment is `assistant`.",
    "security": [
     {
      "serviceUser": [
       "ManageBilling"
      ]
     }
    ],
    "x-stated-path": "/v3beta1/enterprise/consumption/acu-limits/assistant-equivalent",
    "x-not-shown": [
     {
      "id": "acu-limits-get-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "acu-limits-get-path",
      "what": "Whether the segment ends here: the description says \"endpoints\"."
     },
     {
      "id": "acu-limits-get-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "acu-limits-get-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/consumption/acu-limits/assistant-equivalent/{org_id}": {
   "x-vendor-word": [
    "assistant-equivalent"
   ],
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "put": {
    "tags": [
     "acu limits"
    ],
    "operationId": "set_enterprise_acu_limit",
    "summary": "Set the compute-unit limit of an organization.",
    "description": "The description\u0027s table writes another word in this segment; by its own naming rule the segment is `assistant`.",
    "security": [
     {
      "serviceUser": [
       "ManageBilling"
      ]
     }
    ],
    "x-stated-path": "/v3beta1/enterprise/consumption/acu-limits/assistant-equivalent",
    "x-inferred": "The description says \"with PUT and DELETE per organization\" and shows no path for it.",
    "x-not-shown": [
     {
      "id": "acu-limit-replace-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "acu-limit-replace-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "acu-limit-replace-request",
      "what": "The request payload."
     },
     {
      "id": "acu-limit-replace-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "acu-limit-replace-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "tags": [
     "acu limits"
    ],
    "operationId": "delete_enterprise_acu_limit",
    "summary": "Delete the compute-unit limit of an organization.",
    "description": "The description\u0027s table writes another word in this segment; by its own naming rule the segment is `assistant`.",
    "security": [
     {
      "serviceUser": [
       "ManageBilling"
      ]
     }
    ],
    "x-stated-path": "/v3beta1/enterprise/consumption/acu-limits/assistant-equivalent",
    "x-inferred": "The description says \"with PUT and DELETE per organization\" and shows no path for it.",
    "x-not-shown": [
     {
      "id": "acu-limit-delete-method",
      "what": "That there is such an operation is inferred, and so are its method and path."
     },
     {
      "id": "acu-limit-delete-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "acu-limit-delete-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "acu-limit-delete-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/ip-access-list": {
   "get": {
    "tags": [
     "ip access list"
    ],
    "operationId": "get_enterprise_ip_access_list",
    "summary": "Read the IP access list.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": [
       "ManageEnterpriseSettings"
      ]
     }
    ],
    "x-not-shown": [
     {
      "id": "ip-access-list-get-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "ip-access-list-get-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "ip-access-list-get-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "post": {
    "tags": [
     "ip access list"
    ],
    "operationId": "append_enterprise_ip_access_list",
    "summary": "Append ranges to the IP access list.",
    "description": "PUT replaces the whole list.",
    "security": [
     {
      "serviceUser": [
       "ManageEnterpriseSettings"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "ip-access-list-append",
      "text": "POST appends ranges to the list (CIDR supported)."
     }
    ],
    "x-not-shown": [
     {
      "id": "ip-access-list-append-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "ip-access-list-append-request",
      "what": "The request payload."
     },
     {
      "id": "ip-access-list-append-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "ip-access-list-append-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "put": {
    "tags": [
     "ip access list"
    ],
    "operationId": "replace_enterprise_ip_access_list",
    "summary": "Replace the whole IP access list.",
    "description": "POST appends to it.",
    "security": [
     {
      "serviceUser": [
       "ManageEnterpriseSettings"
      ]
     }
    ],
    "x-rules": [
     {
      "id": "ip-access-list-replace",
      "text": "PUT replaces the whole list (CIDR supported)."
     }
    ],
    "x-not-shown": [
     {
      "id": "ip-access-list-replace-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "ip-access-list-replace-request",
      "what": "The request payload."
     },
     {
      "id": "ip-access-list-replace-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "ip-access-list-replace-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "delete": {
    "tags": [
     "ip access list"
    ],
    "operationId": "delete_enterprise_ip_access_list",
    "summary": "Delete the IP access list, or a part of it.",
    "description": "Only that DELETE exists is stated.",
    "security": [
     {
      "serviceUser": [
       "ManageEnterpriseSettings"
      ]
     }
    ],
    "x-not-shown": [
     {
      "id": "ip-access-list-delete-effect",
      "what": "What exactly is deleted."
     },
     {
      "id": "ip-access-list-delete-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "ip-access-list-delete-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "ip-access-list-delete-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/organizations/{org_id}/git-providers/permissions/{git_permission_id}": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    },
    {
     "name": "git_permission_id",
     "in": "path",
     "required": true,
     "description": "Id of the git permission.",
     "schema": {
      "type": "string"
     },
     "example": "permission-1"
    }
   ],
   "patch": {
    "tags": [
     "git permissions"
    ],
    "operationId": "update_enterprise_git_permission",
    "summary": "Update a git permission.",
    "description": "For example read_only.",
    "security": [
     {
      "serviceUser": [
       "ManageGitIntegrations"
      ]
     }
    ],
    "x-not-shown": [
     {
      "id": "git-permission-read-only",
      "what": "Whether read_only is a member or a value."
     },
     {
      "id": "git-permission-update-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "git-permission-update-request",
      "what": "The request payload."
     },
     {
      "id": "git-permission-update-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "git-permission-update-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/git-providers/connections/{connection_id}/repositories": {
   "parameters": [
    {
     "name": "connection_id",
     "in": "path",
     "required": true,
     "description": "Id of the git connection.",
     "schema": {
      "type": "string"
     },
     "example": "connection-1"
    }
   ],
   "get": {
    "tags": [
     "git connections"
    ],
    "operationId": "list_enterprise_git_connection_repositories",
    "summary": "List the repositories of a git connection.",
    "description": "With cursor pagination.",
    "security": [
     {
      "serviceUser": [
       "ManageGitIntegrations"
      ]
     }
    ],
    "x-not-shown": [
     {
      "id": "git-connection-repositories-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "git-connection-repositories-filter-name",
      "what": "The type of filter_name, and how it matches."
     },
     {
      "id": "git-connection-repositories-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "git-connection-repositories-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "$ref": "#/components/parameters/First"
     },
     {
      "$ref": "#/components/parameters/After"
     },
     {
      "name": "filter_name",
      "in": "query",
      "required": false,
      "description": "Filter by name; how it matches is not shown.",
      "schema": {}
     }
    ],
    "responses": {
     "2XX": {
      "description": "A page of repositories, whose fields are not shown.",
      "x-inferred": "Cursor pagination is stated for this list; that it has the paginated envelope, whose items are not shown, is implied.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/NotShownPage"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/idp-groups": {
   "get": {
    "tags": [
     "idp groups"
    ],
    "operationId": "list_enterprise_idp_groups",
    "summary": "List the registered identity-provider groups.",
    "description": "Neither the request nor the response is shown.",
    "security": [
     {
      "serviceUser": [
       "ManageAccountMembership"
      ]
     }
    ],
    "x-stated-path": "/v3beta1/enterprise/idp-groups",
    "x-not-shown": [
     {
      "id": "idp-group-list-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "idp-group-list-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "idp-group-list-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "post": {
    "tags": [
     "idp groups"
    ],
    "operationId": "create_enterprise_idp_groups",
    "summary": "Register identity-provider groups, up to 100 per call.",
    "description": "A bulk registration.",
    "security": [
     {
      "serviceUser": [
       "ManageAccountMembership"
      ]
     }
    ],
    "x-stated-path": "/v3beta1/enterprise/idp-groups",
    "x-rules": [
     {
      "id": "idp-groups-bulk-limit",
      "text": "Up to 100 groups are registered per call."
     }
    ],
    "x-not-shown": [
     {
      "id": "idp-group-create-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "idp-group-create-request",
      "what": "The request payload."
     },
     {
      "id": "idp-group-create-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "idp-group-create-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/idp-groups/{idp_group_name}": {
   "parameters": [
    {
     "name": "idp_group_name",
     "in": "path",
     "required": true,
     "description": "Name of the registered identity-provider group.",
     "schema": {
      "type": "string"
     },
     "example": "engineering"
    }
   ],
   "delete": {
    "tags": [
     "idp groups"
    ],
    "operationId": "delete_enterprise_idp_group",
    "summary": "Delete a registered identity-provider group.",
    "description": "Refused when the group has role assignments or user memberships.",
    "security": [
     {
      "serviceUser": [
       "ManageAccountMembership"
      ]
     }
    ],
    "x-stated-path": "/v3beta1/enterprise/idp-groups/{idp_group_name}",
    "x-rules": [
     {
      "id": "idp-group-delete-refused",
      "text": "Deletion is refused when the group has role assignments or user memberships."
     }
    ],
    "x-not-shown": [
     {
      "id": "idp-group-delete-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "idp-group-delete-refusal",
      "what": "The status of the refusal."
     },
     {
      "id": "idp-group-delete-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "idp-group-delete-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/queue": {
   "get": {
    "tags": [
     "queue"
    ],
    "operationId": "get_enterprise_queue",
    "summary": "Read how many sessions are queued.",
    "description": "Total queued sessions and a status of `normal`, `elevated` or `high`.",
    "security": [
     {
      "serviceUser": [
       "ViewAccountMetrics"
      ]
     }
    ],
    "x-stated-path": "/v3beta1/enterprise/queue",
    "x-not-shown": [
     {
      "id": "queue-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "queue-total-name",
      "what": "The name of the field that has the total of queued sessions."
     },
     {
      "id": "queue-response",
      "what": "The success status."
     },
     {
      "id": "queue-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "description": "The state of the queue.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/Queue"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/org-group-limits": {
   "get": {
    "tags": [
     "org group limits"
    ],
    "operationId": "get_enterprise_org_group_limits",
    "summary": "Read the limits of groups of organizations.",
    "description": "Groups map organization ids to an optional maximum compute-unit limit per billing cycle.",
    "security": [
     {
      "serviceUser": [
       "ManageOrganizations"
      ]
     }
    ],
    "x-stated-path": "/v3beta1/enterprise/org-group-limits",
    "x-rules": [
     {
      "id": "org-group-limits-enablement",
      "text": "Requires enablement by the account team."
     }
    ],
    "x-not-shown": [
     {
      "id": "org-group-limits-get-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "org-group-limits-get-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "org-group-limits-get-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   },
   "put": {
    "tags": [
     "org group limits"
    ],
    "operationId": "set_enterprise_org_group_limits",
    "summary": "Set the limits of groups of organizations.",
    "description": "Groups map organization ids to an optional maximum compute-unit limit per billing cycle.",
    "security": [
     {
      "serviceUser": [
       "ManageOrganizations"
      ]
     }
    ],
    "x-stated-path": "/v3beta1/enterprise/org-group-limits",
    "x-rules": [
     {
      "id": "org-group-limits-enablement"
     }
    ],
    "x-not-shown": [
     {
      "id": "org-group-limits-replace-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "org-group-limits-replace-request",
      "what": "The request payload."
     },
     {
      "id": "org-group-limits-replace-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "org-group-limits-replace-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3/enterprise/hypervisors": {
   "get": {
    "tags": [
     "hypervisors"
    ],
    "operationId": "list_enterprise_hypervisors",
    "summary": "List the hypervisors.",
    "description": "The response carries utilization_percentage.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-stated-path": "/v3beta1/enterprise/hypervisors",
    "x-rules": [
     {
      "id": "hypervisors-status-filter",
      "text": "The default status filter is `available`; `status=all` returns all."
     },
     {
      "id": "hypervisors-utilization",
      "text": "The response carries utilization_percentage."
     }
    ],
    "x-not-shown": [
     {
      "id": "hypervisors-utilization-place",
      "what": "Where in the response utilization_percentage stands, and its type."
     },
     {
      "id": "hypervisors-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "hypervisors-response",
      "what": "The success status, the response payload, and whether the list is paginated (list-pagination)."
     },
     {
      "id": "hypervisors-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "name": "status",
      "in": "query",
      "required": false,
      "description": "Default status filter is `available`; `status=all` returns all.",
      "schema": {
       "type": "string",
       "default": "available",
       "x-known-values": [
        "available",
        "all"
       ],
       "x-not-shown": [
        {
         "id": "hypervisors-status-values",
         "what": "Values other than `available` and `all`."
        }
       ]
      }
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3beta1/organizations/{org_id}/members/idp-users": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "get": {
    "tags": [
     "members"
    ],
    "operationId": "list_organization_member_idp_users",
    "summary": "List the users of an organization that come from identity-provider groups.",
    "description": "Organization member reads are still beta, although members in general are promoted: the more specific statement wins.",
    "security": [
     {
      "serviceUser": [
       "ViewOrgMembership"
      ]
     }
    ],
    "x-stability": "beta",
    "x-not-shown": [
     {
      "id": "organization-member-idp-users-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "organization-member-idp-users-email",
      "what": "The type of the email filter, and whether it is exact."
     },
     {
      "id": "organization-member-idp-users-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "organization-member-idp-users-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "$ref": "#/components/parameters/First"
     },
     {
      "$ref": "#/components/parameters/After"
     },
     {
      "name": "email",
      "in": "query",
      "required": false,
      "description": "Filter by email address; whether it matches exactly is not shown.",
      "x-inferred": "The description says \"email filter\"; the enterprise list has it by this name.",
      "schema": {}
     }
    ],
    "responses": {
     "2XX": {
      "description": "A page of users, whose fields are not shown.",
      "x-inferred": "Cursor pagination is stated for this list; that it has the paginated envelope, whose items are not shown, is implied.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/NotShownPage"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3beta1/organizations/{org_id}/members/users": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "get": {
    "tags": [
     "members"
    ],
    "operationId": "list_organization_member_users",
    "summary": "List the users of an organization.",
    "description": "Organization member reads are still beta, although members in general are promoted: the more specific statement wins.",
    "security": [
     {
      "serviceUser": [
       "ViewOrgMembership"
      ]
     }
    ],
    "x-stability": "beta",
    "x-not-shown": [
     {
      "id": "organization-member-users-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "organization-member-users-email",
      "what": "The type of the email filter, and whether it is exact."
     },
     {
      "id": "organization-member-users-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "organization-member-users-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "$ref": "#/components/parameters/First"
     },
     {
      "$ref": "#/components/parameters/After"
     },
     {
      "name": "email",
      "in": "query",
      "required": false,
      "description": "Filter by email address; whether it matches exactly is not shown.",
      "x-inferred": "The description says \"email filter\"; the enterprise list has it by this name.",
      "schema": {}
     }
    ],
    "responses": {
     "2XX": {
      "description": "A page of users, whose fields are not shown.",
      "x-inferred": "Cursor pagination is stated for this list; that it has the paginated envelope, whose items are not shown, is implied.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/NotShownPage"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3beta1/organizations/{org_id}/members/users/{user_id}": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    },
    {
     "name": "user_id",
     "in": "path",
     "required": true,
     "description": "Id of the user.",
     "schema": {
      "type": "string"
     },
     "example": "user-1"
    }
   ],
   "get": {
    "tags": [
     "members"
    ],
    "operationId": "get_organization_member_user",
    "summary": "Get a user of an organization.",
    "description": "Organization member reads are still beta, although members in general are promoted: the more specific statement wins.",
    "security": [
     {
      "serviceUser": [
       "ViewOrgMembership"
      ]
     }
    ],
    "x-stability": "beta",
    "x-not-shown": [
     {
      "id": "organization-member-user-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "organization-member-user-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "organization-member-user-errors",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3beta1/enterprise/service-users": {
   "post": {
    "tags": [
     "service users"
    ],
    "operationId": "create_enterprise_service_user",
    "summary": "Provision a service user.",
    "description": "Still beta.",
    "security": [
     {
      "serviceUser": [
       "ManageAccountServiceUsers"
      ]
     }
    ],
    "x-stability": "beta",
    "x-rules": [
     {
      "id": "service-user-role-subset",
      "text": "The target role\u0027s permissions must be a subset of the caller\u0027s permissions, and ManageServiceUsers permissions can never be granted."
     }
    ],
    "x-not-shown": [
     {
      "id": "enterprise-service-user-create-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "enterprise-service-user-create-request",
      "what": "The request payload."
     },
     {
      "id": "enterprise-service-user-create-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "enterprise-service-user-create-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3beta1/organizations/{org_id}/service-users": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "post": {
    "tags": [
     "service users"
    ],
    "operationId": "create_organization_service_user",
    "summary": "Provision a service user of an organization.",
    "description": "Still beta; the rule of the enterprise scope applies (service-user-role-subset).",
    "security": [
     {
      "serviceUser": [
       "ManageOrgServiceUsers"
      ]
     }
    ],
    "x-stability": "beta",
    "x-rules": [
     {
      "id": "service-user-role-subset"
     }
    ],
    "x-not-shown": [
     {
      "id": "organization-service-user-create-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "organization-service-user-create-request",
      "what": "The request payload."
     },
     {
      "id": "organization-service-user-create-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "organization-service-user-create-errors",
      "what": "The error statuses."
     }
    ],
    "requestBody": {
     "$ref": "#/components/requestBodies/NotShown"
    },
    "responses": {
     "2XX": {
      "$ref": "#/components/responses/NotShown"
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3beta1/enterprise/guardrail-violations": {
   "get": {
    "tags": [
     "guardrail violations"
    ],
    "operationId": "list_enterprise_guardrail_violations",
    "summary": "List the guardrail violations of the enterprise.",
    "description": "Still beta.",
    "security": [
     {
      "serviceUser": [
       "ManageEnterpriseSettings"
      ]
     }
    ],
    "x-stability": "beta",
    "x-not-shown": [
     {
      "id": "enterprise-guardrail-violations-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "enterprise-guardrail-violations-parameters",
      "what": "The names of the time range\u0027s parameters, and the types of all filters."
     },
     {
      "id": "enterprise-guardrail-violations-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "enterprise-guardrail-violations-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "$ref": "#/components/parameters/First"
     },
     {
      "$ref": "#/components/parameters/After"
     },
     {
      "name": "session_id",
      "in": "query",
      "required": false,
      "description": "Only violations of the session with this id.",
      "schema": {}
     },
     {
      "name": "guardrail_id",
      "in": "query",
      "required": false,
      "description": "Only violations of the guardrail with this id.",
      "schema": {}
     }
    ],
    "responses": {
     "2XX": {
      "description": "A page of violations, whose fields are not shown.",
      "x-inferred": "Cursor pagination is stated for this list; that it has the paginated envelope, whose items are not shown, is implied.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/NotShownPage"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3beta1/enterprise/organizations/{org_id}/guardrail-violations": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "get": {
    "tags": [
     "guardrail violations"
    ],
    "operationId": "list_enterprise_guardrail_violations_of_organization",
    "summary": "List the guardrail violations of an organization.",
    "description": "Still beta.",
    "security": [
     {
      "serviceUser": [
       "ManageEnterpriseSettings"
      ]
     }
    ],
    "x-stability": "beta",
    "x-not-shown": [
     {
      "id": "organization-guardrail-violations-level",
      "what": "The level of the permission, and the kinds of credential."
     },
     {
      "id": "organization-guardrail-violations-parameters",
      "what": "The names of the time range\u0027s parameters, and the types of all filters."
     },
     {
      "id": "organization-guardrail-violations-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "organization-guardrail-violations-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "$ref": "#/components/parameters/First"
     },
     {
      "$ref": "#/components/parameters/After"
     },
     {
      "name": "session_id",
      "in": "query",
      "required": false,
      "description": "Only violations of the session with this id.",
      "schema": {}
     },
     {
      "name": "guardrail_id",
      "in": "query",
      "required": false,
      "description": "Only violations of the guardrail with this id.",
      "schema": {}
     }
    ],
    "responses": {
     "2XX": {
      "description": "A page of violations, whose fields are not shown.",
      "x-inferred": "Cursor pagination is stated for this list; that it has the paginated envelope, whose items are not shown, is implied.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/NotShownPage"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3beta1/enterprise/searches": {
   "get": {
    "tags": [
     "searches"
    ],
    "operationId": "list_enterprise_searches",
    "summary": "List the searches of the enterprise.",
    "description": "With pagination and filtering; in neither list of Versioning, so the stated prefix stays, and that is a beta one.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-stability": "beta",
    "x-not-shown": [
     {
      "id": "enterprise-searches-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "enterprise-searches-parameters",
      "what": "The filters and their names."
     },
     {
      "id": "enterprise-searches-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "enterprise-searches-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "$ref": "#/components/parameters/First"
     },
     {
      "$ref": "#/components/parameters/After"
     }
    ],
    "responses": {
     "2XX": {
      "description": "A page of searches, whose fields are not shown.",
      "x-inferred": "Pagination is stated; that it is the cursor-based one, with the paginated envelope, is implied by Versioning.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/NotShownPage"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/v3beta1/organizations/{org_id}/searches": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "get": {
    "tags": [
     "searches"
    ],
    "operationId": "list_organization_searches",
    "summary": "List the searches of an organization.",
    "description": "With pagination and filtering; in neither list of Versioning, so the stated prefix stays, and that is a beta one.",
    "security": [
     {
      "serviceUser": []
     }
    ],
    "x-stability": "beta",
    "x-not-shown": [
     {
      "id": "organization-searches-permission",
      "what": "The permission, its level and the kinds of credential."
     },
     {
      "id": "organization-searches-parameters",
      "what": "The filters and their names."
     },
     {
      "id": "organization-searches-response",
      "what": "The success status and the response payload."
     },
     {
      "id": "organization-searches-errors",
      "what": "The error statuses."
     }
    ],
    "parameters": [
     {
      "$ref": "#/components/parameters/First"
     },
     {
      "$ref": "#/components/parameters/After"
     }
    ],
    "responses": {
     "2XX": {
      "description": "A page of searches, whose fields are not shown.",
      "x-inferred": "Pagination is stated; that it is the cursor-based one, with the paginated envelope, is implied by Versioning.",
      "content": {
       "application/json": {
        "schema": {
         "$ref": "#/components/schemas/NotShownPage"
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  },
  "/beta/v2/enterprise/repositories/{org_id}": {
   "parameters": [
    {
     "$ref": "#/components/parameters/OrgId"
    }
   ],
   "get": {
    "tags": [
     "repositories"
    ],
    "operationId": "list_enterprise_repository_index_status",
    "summary": "Get the indexing status of all repositories of an organization.",
    "description": "Accepts only a personal API key of an enterprise administrator.",
    "security": [
     {
      "enterpriseAdminApiKey": []
     }
    ],
    "x-stability": "beta",
    "x-rules": [
     {
      "id": "repository-index-credential",
      "text": "Only a personal API key of an enterprise administrator is accepted (legacy key form with prefix `apk_user_`)."
     }
    ],
    "x-not-shown": [
     {
      "id": "repository-index-permission",
      "what": "A permission name; the kind of credential is all that is stated."
     },
     {
      "id": "repository-index-error-statuses",
      "what": "The error statuses."
     }
    ],
    "responses": {
     "200": {
      "description": "One entry per repository.",
      "content": {
       "application/json": {
        "schema": {
         "type": "array",
         "items": {
          "$ref": "#/components/schemas/RepositoryIndexStatus"
         }
        }
       }
      }
     },
     "4XX": {
      "$ref": "#/components/responses/Problem"
     },
     "default": {
      "$ref": "#/components/responses/Problem"
     }
    }
   }
  }
 },
 "components": {
  "x-legacy-credentials": [
   {
    "name": "legacyApiKey",
    "prefix": "apk_",
    "what": "Legacy API key for v1 and v2 paths; no operation of this document accepts it."
   }
  ],
  "securitySchemes": {
   "serviceUser": {
    "type": "http",
    "scheme": "bearer",
    "description": "The current credential: in the settings area under service users a service user is created with a role, then a key is generated.",
    "x-credential-prefix": "svc_",
    "x-vendor-word": [
     "svc_"
    ],
    "x-not-shown": [
     {
      "id": "credential-lifetime",
      "what": "Credential lifetime and rotation."
     }
    ]
   },
   "personalAccessToken": {
    "type": "http",
    "scheme": "bearer",
    "description": "Accepted by the organization session list and by the blueprint list and delete.",
    "x-not-shown": [
     {
      "id": "personal-access-token-format",
      "what": "Format of a personal access token."
     }
    ]
   },
   "enterpriseAdminApiKey": {
    "type": "http",
    "scheme": "bearer",
    "description": "Personal API key of an enterprise administrator, a legacy key; repository indexing accepts only this.",
    "x-credential-prefix": "apk_user_"
   }
  },
  "parameters": {
   "OrgId": {
    "name": "org_id",
    "in": "path",
    "required": true,
    "description": "Id of the organization, with the prefix `org-`.",
    "x-id-prefix": "org-",
    "schema": {
     "type": "string"
    },
    "example": "org-acme"
   },
   "AssistantId": {
    "x-vendor-word": [
     "AssistantId",
     "assistant_id",
     "assistant-"
    ],
    "name": "assistant_id",
    "in": "path",
    "required": true,
    "description": "Id of the session, its `session_id`, with the prefix `assistant-`.",
    "x-id-prefix": "assistant-",
    "x-adds-prefix": true,
    "schema": {
     "type": "string"
    },
    "example": "assistant-1"
   },
   "First": {
    "name": "first",
    "in": "query",
    "required": false,
    "description": "Page size.",
    "schema": {
     "type": "integer",
     "minimum": 1,
     "maximum": 200,
     "default": 100
    },
    "example": 100
   },
   "AuditOrder": {
    "name": "order",
    "in": "query",
    "required": false,
    "description": "Order of the entries; by what they are ordered is not shown.",
    "schema": {
     "$ref": "#/components/schemas/AuditLogOrder",
     "default": "desc"
    },
    "example": "asc"
   },
   "After": {
    "name": "after",
    "in": "query",
    "required": false,
    "description": "Cursor from the `end_cursor` of a previous page.",
    "schema": {
     "type": [
      "string",
      "null"
     ]
    },
    "example": "cursor-1"
   }
  },
  "requestBodies": {
   "NotShown": {
    "description": "A payload that the description does not show.",
    "required": false,
    "content": {
     "application/json": {
      "schema": {
       "$ref": "#/components/schemas/NotShown"
      }
     }
    }
   }
  },
  "responses": {
   "NotShown": {
    "description": "Success; neither the status nor the payload is shown.",
    "content": {
     "application/json": {
      "schema": {
       "$ref": "#/components/schemas/NotShown"
      }
     }
    }
   },
   "Problem": {
    "description": "A problem detail (RFC 9457).",
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "ScheduleFailure": {
    "description": "A validation failure (its status is not shown), or another failure.",
    "content": {
     "application/json": {
      "schema": {
       "$ref": "#/components/schemas/ValidationFailure"
      }
     },
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/Problem"
      }
     }
    }
   },
   "ProblemWithCode": {
    "description": "A problem detail (RFC 9457) that includes `error_code`.",
    "content": {
     "application/problem+json": {
      "schema": {
       "$ref": "#/components/schemas/ProblemWithCode"
      }
     }
    }
   }
  },
  "schemas": {
   "NotShown": {
    "description": "A payload that the description does not show; anything.",
    "examples": [
     {}
    ]
   },
   "PageInfo": {
    "description": "The paginated list envelope without its `items`, which each list adds.",
    "type": "object",
    "properties": {
     "end_cursor": {
      "description": "Cursor for the next page, to be given as `after`; null when this is the last page.",
      "type": [
       "string",
       "null"
      ]
     },
     "has_next_page": {
      "description": "True when more items exist after this page.",
      "type": "boolean",
      "default": false
     },
     "total": {
      "description": "Total count; may be omitted.",
      "type": [
       "integer",
       "null"
      ]
     }
    },
    "examples": [
     {
      "end_cursor": null,
      "has_next_page": false,
      "total": 0
     }
    ]
   },
   "NotShownPage": {
    "description": "A page of things whose fields are not shown.",
    "allOf": [
     {
      "$ref": "#/components/schemas/PageInfo"
     },
     {
      "type": "object",
      "required": [
       "items"
      ],
      "properties": {
       "items": {
        "description": "The page\u0027s entries.",
        "type": "array",
        "items": {
         "$ref": "#/components/schemas/NotShown"
        }
       }
      }
     }
    ],
    "examples": [
     {
      "items": [],
      "end_cursor": null,
      "has_next_page": false,
      "total": 0
     }
    ]
   },
   "AuditLogOrder": {
    "description": "Order of the audit log, `desc` by default; by what it is ordered is not shown.",
    "type": "string",
    "enum": [
     "asc",
     "desc"
    ],
    "examples": [
     "desc"
    ]
   },
   "InsightsGeneration": {
    "description": "Whether the generation of insights began.",
    "type": "object",
    "x-not-shown": [
     {
      "id": "insights-generation-members",
      "what": "Members other than status, and whether that is always present."
     }
    ],
    "properties": {
     "status": {
      "$ref": "#/components/schemas/InsightsGenerationStatus",
      "description": "Whether generation began, or insights exist or are in progress.",
      "x-inferred": "The description says that a status is returned; that it is a member of this name is implied."
     }
    },
    "examples": [
     {
      "status": "started"
     }
    ]
   },
   "InsightsGenerationStatus": {
    "description": "`started` when generation begins, or `already_exists` when insights exist or are in progress.",
    "type": "string",
    "enum": [
     "started",
     "already_exists"
    ],
    "examples": [
     "started"
    ]
   },
   "Queue": {
    "description": "The state of the queue of sessions.",
    "type": "object",
    "x-not-shown": [
     {
      "id": "queue-members",
      "what": "Members other than status, and whether that is always present."
     }
    ],
    "properties": {
     "status": {
      "$ref": "#/components/schemas/QueueStatus",
      "description": "Status of the queue.",
      "x-inferred": "The description says \"a status\"; that it is a member of this name is implied."
     }
    },
    "examples": [
     {
      "status": "normal"
     }
    ]
   },
   "QueueStatus": {
    "description": "Status of the queue; what each value stands for is not shown.",
    "type": "string",
    "enum": [
     "normal",
     "elevated",
     "high"
    ],
    "examples": [
     "normal"
    ]
   },
   "AttachmentUpload": {
    "description": "The form in which a file is sent; its parts are not shown.",
    "type": "object",
    "required": [
     "file"
    ],
    "properties": {
     "file": {
      "description": "The file to upload.",
      "type": "string",
      "format": "binary",
      "x-inferred": "An upload has a file; the name of the part is not shown."
     }
    },
    "examples": [
     {
      "file": "the bytes of the file"
     }
    ]
   },
   "FileContent": {
    "description": "The bytes of a file.",
    "type": "string",
    "format": "binary",
    "examples": [
     "the bytes of the file"
    ]
   },
   "EnterpriseUserPage": {
    "description": "A page of enterprise users.",
    "allOf": [
     {
      "$ref": "#/components/schemas/PageInfo"
     },
     {
      "type": "object",
      "required": [
       "items"
      ],
      "properties": {
       "items": {
        "description": "The page\u0027s users.",
        "type": "array",
        "items": {
         "$ref": "#/components/schemas/EnterpriseUser"
        }
       }
      }
     }
    ],
    "examples": [
     {
      "items": [
       {
        "user_id": "user-1",
        "email": "ada@example.com",
        "name": "Ada",
        "role_assignments": [
         {
          "role": {
           "role_id": "role-1",
           "role_name": "Admin",
           "role_type": "enterprise"
          },
          "org_id": null
         }
        ],
        "enterprise_joined_at": 1760000000
       }
      ],
      "end_cursor": "cursor-1",
      "has_next_page": true,
      "total": 250
     }
    ]
   },
   "EnterpriseUser": {
    "description": "A user of the enterprise.",
    "type": "object",
    "required": [
     "user_id",
     "email",
     "name",
     "role_assignments"
    ],
    "properties": {
     "user_id": {
      "description": "Id of the user.",
      "type": "string",
      "x-resource-id": true
     },
     "email": {
      "description": "Email address of the user; what null stands for is not shown.",
      "type": [
       "string",
       "null"
      ]
     },
     "name": {
      "description": "Name of the user; what null stands for is not shown.",
      "type": [
       "string",
       "null"
      ]
     },
     "role_assignments": {
      "description": "The roles that are assigned to the user.",
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/RoleAssignment"
      }
     },
     "enterprise_joined_at": {
      "description": "When the user was added to the enterprise, as an integer timestamp; unit not shown.",
      "type": [
       "integer",
       "null"
      ],
      "x-not-shown": [
       {
        "id": "enterprise-joined-at-unit",
        "what": "Unit of the integer timestamp."
       }
      ]
     }
    },
    "examples": [
     {
      "user_id": "user-1",
      "email": "ada@example.com",
      "name": "Ada",
      "role_assignments": [
       {
        "role": {
         "role_id": "role-1",
         "role_name": "Admin",
         "role_type": "enterprise"
        },
        "org_id": null
       }
      ],
      "enterprise_joined_at": 1760000000
     }
    ]
   },
   "RoleAssignment": {
    "description": "A role that is assigned to a user.",
    "type": "object",
    "required": [
     "role"
    ],
    "properties": {
     "role": {
      "$ref": "#/components/schemas/Role",
      "description": "The role that is assigned."
     },
     "org_id": {
      "description": "Id of an organization; whether the role holds only there, and what null stands for, is not shown.",
      "type": [
       "string",
       "null"
      ]
     }
    },
    "examples": [
     {
      "role": {
       "role_id": "role-2",
       "role_name": "Member",
       "role_type": "org"
      },
      "org_id": "org-acme"
     }
    ]
   },
   "Role": {
    "description": "A named set of permissions.",
    "type": "object",
    "required": [
     "role_id",
     "role_name",
     "role_type"
    ],
    "properties": {
     "role_id": {
      "description": "Id of the role.",
      "type": "string"
     },
     "role_name": {
      "description": "Name of the role.",
      "type": "string"
     },
     "role_type": {
      "$ref": "#/components/schemas/RoleType",
      "description": "Type of the role."
     }
    },
    "examples": [
     {
      "role_id": "role-1",
      "role_name": "Admin",
      "role_type": "enterprise"
     }
    ]
   },
   "RoleType": {
    "description": "Type of a role.",
    "type": "string",
    "enum": [
     "enterprise",
     "org"
    ],
    "examples": [
     "enterprise"
    ]
   },
   "ReviewCreate": {
    "description": "What a review is triggered with.",
    "type": "object",
    "required": [
     "pr_url"
    ],
    "properties": {
     "pr_url": {
      "description": "The full URL of the pull or merge request.",
      "type": "string"
     }
    },
    "examples": [
     {
      "pr_url": "https://git.example.com/acme/shop/pull/7"
     }
    ]
   },
   "Review": {
    "description": "The result of triggering a review.",
    "type": "object",
    "x-not-shown": [
     {
      "id": "review-required-fields",
      "what": "Which fields are always present."
     }
    ],
    "properties": {
     "commit_sha": {
      "description": "Commit of the pull-request head that will be reviewed.",
      "type": "string"
     },
     "created_at": {
      "description": "When the review was accepted.",
      "type": "string",
      "format": "date-time"
     },
     "pr_number": {
      "description": "Pull/merge request number.",
      "type": "integer"
     },
     "repo_path": {
      "description": "Normalized repository path prefixed by the repository host, of the form <repo_host>/<owner>/<repo>.",
      "type": "string"
     },
     "status": {
      "$ref": "#/components/schemas/ReviewStatus",
      "description": "State of the review; a newly accepted one is `pending`."
     }
    },
    "examples": [
     {
      "commit_sha": "9fceb02d0ae598e95dc970b74767f19372d61af8",
      "created_at": "2026-11-20T09:00:00Z",
      "pr_number": 7,
      "repo_path": "git.example.com/acme/shop",
      "status": "pending"
     }
    ]
   },
   "ReviewStatus": {
    "description": "The state of a review; a newly accepted one starts as `pending`.",
    "x-not-shown": [
     {
      "id": "review-transitions",
      "what": "The transitions between the statuses."
     }
    ],
    "type": "string",
    "enum": [
     "pending",
     "running",
     "completed",
     "errored",
     "cancelled"
    ],
    "examples": [
     "pending"
    ]
   },
   "ScheduleCreate": {
    "description": "What a schedule is created with.",
    "type": "object",
    "required": [
     "name",
     "prompt"
    ],
    "properties": {
     "name": {
      "description": "Name of the schedule.",
      "type": "string"
     },
     "prompt": {
      "description": "Prompt of the schedule; how its sessions use it is not shown.",
      "type": "string"
     },
     "agent": {
      "$ref": "#/components/schemas/ScheduleAgent",
      "description": "Agent type of the schedule.",
      "default": "assistant",
      "x-vendor-word": [
       "assistant"
      ]
     },
     "bypass_approval": {
      "description": "Whether to bypass approval. What needs approval is not shown.",
      "type": "boolean",
      "default": false
     },
     "create_as_user_id": {
      "description": "Id of the user to impersonate; the rule schedule-impersonation says what this requires.",
      "type": [
       "string",
       "null"
      ]
     },
     "frequency": {
      "description": "Cron expression; required when schedule_type is `recurring`.",
      "type": [
       "string",
       "null"
      ]
     },
     "interval_count": {
      "description": "Count of intervals. Which intervals these are is not shown.",
      "type": "integer",
      "default": 1
     },
     "notify_on": {
      "$ref": "#/components/schemas/ScheduleNotifyOn",
      "description": "When the schedule notifies. Whom it notifies, and how, is not shown.",
      "default": "failure"
     },
     "platform": {
      "description": "VM platform for spawned sessions, matched case-insensitively against the platforms configured for the organization. When omitted, sessions use the organization\u0027s default platform at trigger time. An unknown value is rejected with 400 and a list of available platform labels.",
      "type": [
       "string",
       "null"
      ]
     },
     "playbook_id": {
      "description": "Id of a playbook; how the sessions of the schedule use it is not shown.",
      "type": [
       "string",
       "null"
      ]
     },
     "schedule_type": {
      "$ref": "#/components/schemas/ScheduleType",
      "description": "Whether the schedule recurs, by `frequency`, or runs once, at `scheduled_at`.",
      "default": "recurring"
     },
     "scheduled_at": {
      "description": "When the schedule runs; required when schedule_type is `one_time`. ISO 8601 with timezone; must be in the future.",
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     },
     "slack_channel_id": {
      "description": "Id of a Slack channel; what happens there is not shown.",
      "type": [
       "string",
       "null"
      ]
     },
     "slack_team_id": {
      "description": "Id of a Slack team; its relation to `slack_channel_id` is not shown.",
      "type": [
       "string",
       "null"
      ]
     },
     "tags": {
      "description": "Tags of the schedule; whether its sessions get them is not shown.",
      "type": [
       "array",
       "null"
      ],
      "items": {
       "type": "string"
      }
     },
     "target_assistant_id": {
      "description": "Id of a target session, as the name says; what the schedule does with it is not shown.",
      "type": [
       "string",
       "null"
      ],
      "x-vendor-word": [
       "target_assistant_id"
      ]
     }
    },
    "examples": [
     {
      "name": "Weekday triage",
      "prompt": "Triage new issues",
      "frequency": "0 9 * * 1-5"
     },
     {
      "name": "Release notes",
      "prompt": "Write them",
      "schedule_type": "one_time",
      "scheduled_at": "2026-12-01T09:00:00+00:00"
     }
    ]
   },
   "ScheduleAgent": {
    "description": "Agent type of a schedule.",
    "type": "string",
    "enum": [
     "assistant",
     "data_analyst"
    ],
    "x-vendor-word": [
     "assistant"
    ],
    "examples": [
     "assistant"
    ]
   },
   "ScheduleNotifyOn": {
    "description": "When a schedule notifies. Whom it notifies, and how, is not shown.",
    "type": "string",
    "enum": [
     "always",
     "failure",
     "never"
    ],
    "examples": [
     "failure"
    ]
   },
   "ScheduleType": {
    "description": "Whether a schedule recurs or runs once.",
    "type": "string",
    "enum": [
     "recurring",
     "one_time"
    ],
    "examples": [
     "recurring"
    ]
   },
   "Schedule": {
    "description": "A schedule that starts sessions.",
    "type": "object",
    "x-not-shown": [
     {
      "id": "schedule-session",
      "what": "What a session that it starts takes over from it, what `target_assistant_id` targets, and what else becomes of a run."
     }
    ],
    "required": [
     "agent",
     "consecutive_failures",
     "created_at",
     "created_by",
     "enabled",
     "frequency",
     "last_error_at",
     "last_error_message",
     "last_executed_at",
     "name",
     "notify_on",
     "org_id",
     "playbook",
     "prompt",
     "scheduled_session_id",
     "updated_at"
    ],
    "properties": {
     "agent": {
      "$ref": "#/components/schemas/ScheduleAgent",
      "description": "Agent type of the schedule."
     },
     "consecutive_failures": {
      "description": "Number of consecutive failures; what counts as one is not shown.",
      "type": "integer"
     },
     "created_at": {
      "description": "When the schedule was created.",
      "type": "string",
      "format": "date-time"
     },
     "created_by": {
      "description": "Who created the schedule; whether this is an id, and what null stands for, is not shown.",
      "type": [
       "string",
       "null"
      ]
     },
     "enabled": {
      "description": "Whether the schedule is enabled; one of type `one_time` is disabled after it has run.",
      "type": "boolean"
     },
     "frequency": {
      "description": "Cron expression for recurring schedules.",
      "type": [
       "string",
       "null"
      ]
     },
     "last_error_at": {
      "description": "When the last error occurred.",
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     },
     "last_error_message": {
      "description": "Message of the last error.",
      "type": [
       "string",
       "null"
      ]
     },
     "last_executed_at": {
      "description": "When the schedule last ran.",
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     },
     "name": {
      "description": "Name of the schedule.",
      "type": "string"
     },
     "notify_on": {
      "$ref": "#/components/schemas/ScheduleNotifyOn",
      "description": "When the schedule notifies. Whom it notifies, and how, is not shown."
     },
     "org_id": {
      "description": "Id of the organization of the schedule, with the prefix `org-`.",
      "type": "string"
     },
     "playbook": {
      "description": "The playbook of the schedule, or null.",
      "anyOf": [
       {
        "$ref": "#/components/schemas/SchedulePlaybook"
       },
       {
        "type": "null"
       }
      ]
     },
     "prompt": {
      "description": "Prompt of the schedule; how its sessions use it is not shown.",
      "type": "string"
     },
     "scheduled_session_id": {
      "description": "Id of a scheduled session, as the name says; whether that is the schedule itself is not shown.",
      "type": "string",
      "x-not-shown": [
       {
        "id": "schedule-id",
        "what": "Whether it is the id by which paths name the schedule (`schedule_id`)."
       }
      ]
     },
     "updated_at": {
      "description": "When the schedule was last updated.",
      "type": "string",
      "format": "date-time"
     },
     "bypass_approval": {
      "description": "Whether approval is bypassed. What needs approval is not shown.",
      "type": "boolean",
      "default": false
     },
     "interval_count": {
      "description": "Count of intervals. Which intervals these are is not shown.",
      "type": "integer",
      "default": 1,
      "x-not-shown": [
       {
        "id": "schedule-interval-count-values",
        "what": "What it counts, and which values are allowed."
       }
      ]
     },
     "last_edited_by": {
      "description": "Who last edited the schedule; whether this is an id, and what null stands for, is not shown.",
      "type": [
       "string",
       "null"
      ]
     },
     "platform": {
      "description": "VM platform for spawned sessions. If it was omitted at creation, they use the organization\u0027s default platform at trigger time.",
      "type": [
       "string",
       "null"
      ]
     },
     "schedule_type": {
      "$ref": "#/components/schemas/ScheduleType",
      "description": "Whether the schedule recurs, by `frequency`, or runs once, at `scheduled_at`.",
      "default": "recurring"
     },
     "scheduled_at": {
      "description": "When a schedule of type `one_time` runs.",
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     },
     "slack_channel_id": {
      "description": "Id of a Slack channel; what happens there is not shown.",
      "type": [
       "string",
       "null"
      ]
     },
     "slack_team_id": {
      "description": "Id of a Slack team; its relation to `slack_channel_id` is not shown.",
      "type": [
       "string",
       "null"
      ]
     },
     "tags": {
      "description": "Tags of the schedule; whether its sessions get them is not shown.",
      "type": [
       "array",
       "null"
      ],
      "items": {
       "type": "string"
      }
     },
     "target_assistant_id": {
      "description": "Id of a target session, as the name says; what the schedule does with it is not shown.",
      "type": [
       "string",
       "null"
      ],
      "x-vendor-word": [
       "target_assistant_id"
      ]
     }
    },
    "examples": [
     {
      "agent": "assistant",
      "consecutive_failures": 0,
      "created_at": "2026-11-20T09:00:00Z",
      "created_by": null,
      "enabled": true,
      "frequency": "0 9 * * 1-5",
      "last_error_at": null,
      "last_error_message": null,
      "last_executed_at": null,
      "name": "Weekday triage",
      "notify_on": "failure",
      "org_id": "org-acme",
      "playbook": null,
      "prompt": "Triage new issues",
      "scheduled_session_id": "schedule-1",
      "updated_at": "2026-11-20T09:00:00Z"
     }
    ]
   },
   "SchedulePlaybook": {
    "description": "The playbook of a schedule.",
    "type": "object",
    "x-not-shown": [
     {
      "id": "schedule-playbook-required-fields",
      "what": "Which fields are always present."
     }
    ],
    "properties": {
     "playbook_id": {
      "description": "Id of the playbook.",
      "type": "string"
     },
     "title": {
      "description": "Title of the playbook.",
      "type": "string"
     }
    },
    "examples": [
     {
      "playbook_id": "playbook-1",
      "title": "Triage"
     }
    ]
   },
   "SessionCreate": {
    "description": "The named parameters of session creation; the rest of the payload is not shown.",
    "type": "object",
    "additionalProperties": true,
    "x-not-shown": [
     {
      "id": "session-create-parameter-types",
      "what": "The types of the parameters other than assistant_mode."
     }
    ],
    "properties": {
     "assistant_mode": {
      "$ref": "#/components/schemas/AssistantMode",
      "description": "Mode of the session; the rule session-mode-default tells what holds when it is omitted.",
      "x-vendor-word": [
       "assistant_mode"
      ]
     },
     "create_as_user_id": {
      "description": "Id of the user to impersonate; the rules of schedule creation apply.",
      "type": [
       "string",
       "null"
      ],
      "x-inferred": "The type is that of the schedule\u0027s parameter of the same name, to whose rules this one refers."
     },
     "session_secrets": {
      "description": "Temporary secrets of the session, not stored as organization secrets; their form is not shown.",
      "x-secret": true
     },
     "child_playbook_id": {
      "description": "Id of a child playbook; how the session uses it is not shown."
     },
     "session_links": {
      "description": "Links of the session; their form, and what they lead to, is not shown."
     },
     "bypass_approval": {
      "description": "Whether to bypass approval. What needs approval is not shown."
     }
    },
    "examples": [
     {
      "assistant_mode": "fast"
     }
    ]
   },
   "AssistantMode": {
    "description": "Mode of a new session; `normal` default behavior is the organization\u0027s default when omitted.",
    "type": "string",
    "enum": [
     "normal",
     "fast",
     "lite"
    ],
    "x-vendor-word": [
     "AssistantMode"
    ],
    "examples": [
     "fast"
    ]
   },
   "SessionPage": {
    "description": "A page of sessions.",
    "allOf": [
     {
      "$ref": "#/components/schemas/PageInfo"
     },
     {
      "type": "object",
      "required": [
       "items"
      ],
      "properties": {
       "items": {
        "description": "The page\u0027s sessions.",
        "type": "array",
        "items": {
         "$ref": "#/components/schemas/Session"
        }
       }
      }
     }
    ],
    "examples": [
     {
      "items": [
       {
        "session_id": "assistant-1",
        "org_id": "org-acme",
        "title": "Fix the flaky test",
        "created_at": 1760000000
       }
      ],
      "end_cursor": "cursor-1",
      "has_next_page": true,
      "total": 250
     }
    ]
   },
   "SessionOrigin": {
    "description": "Filter values of a session\u0027s origin.",
    "type": "string",
    "enum": [
     "webapp",
     "slack",
     "teams",
     "api",
     "linear",
     "jira",
     "other"
    ],
    "examples": [
     "api"
    ]
   },
   "Session": {
    "description": "A session of the assistant.",
    "type": "object",
    "x-not-shown": [
     {
      "id": "session-required-fields",
      "what": "Which fields are always present. Of their types, \"for example whether null is allowed\", it is said only that they \"follow the names\"."
     },
     {
      "id": "session-transitions",
      "what": "Session states and transitions (including the effect of archive, terminate and message sending on status)."
     }
    ],
    "properties": {
     "session_id": {
      "description": "Id of the session, with the prefix `assistant-`; it is the `assistant_id` of paths.",
      "type": "string",
      "x-resource-id": true,
      "x-vendor-word": [
       "assistant-"
      ]
     },
     "org_id": {
      "description": "Id of the organization of the session, with the prefix `org-`.",
      "type": "string"
     },
     "url": {
      "description": "URL of the session.",
      "type": "string"
     },
     "status": {
      "description": "Status of the session.",
      "type": "string",
      "x-not-shown": [
       {
        "id": "session-status-values",
        "what": "Allowed values."
       }
      ]
     },
     "status_detail": {
      "description": "Detail of `status`.",
      "type": "string",
      "x-not-shown": [
       {
        "id": "session-status-detail-values",
        "what": "Allowed values."
       }
      ]
     },
     "created_at": {
      "description": "When the session was created, as an integer timestamp; unit not shown.",
      "type": "integer",
      "x-not-shown": [
       {
        "id": "session-created-at-unit",
        "what": "Unit of the integer timestamp."
       }
      ]
     },
     "updated_at": {
      "description": "When the session was last updated, as an integer timestamp; unit not shown.",
      "type": "integer",
      "x-not-shown": [
       {
        "id": "session-updated-at-unit",
        "what": "Unit of the integer timestamp."
       }
      ]
     },
     "acus_consumed": {
      "description": "Compute units consumed.",
      "type": "number"
     },
     "on_demand_usage": {
      "description": "On-demand usage; neither its unit nor its relation to `acus_consumed` is shown.",
      "type": "number"
     },
     "tags": {
      "description": "Tags of the session.",
      "type": "array",
      "items": {
       "type": "string"
      }
     },
     "pull_requests": {
      "description": "Pull requests of the session.",
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/SessionPullRequest"
      }
     },
     "automation_id": {
      "description": "Id of an automation; its relation to the session is not shown.",
      "type": "string"
     },
     "category": {
      "description": "Category of the session.",
      "type": "string",
      "x-not-shown": [
       {
        "id": "session-category-values",
        "what": "Allowed values."
       }
      ]
     },
     "subcategory": {
      "description": "Subcategory within `category`, as the name says.",
      "type": "string"
     },
     "title": {
      "description": "Title of the session.",
      "type": "string"
     },
     "child_session_ids": {
      "description": "Ids of the sessions that are children of this one.",
      "type": "array",
      "items": {
       "type": "string"
      }
     },
     "parent_session_id": {
      "description": "Id of the session that is the parent of this one.",
      "type": "string"
     },
     "assistant_mode": {
      "description": "Mode of the session. Values accepted at creation: `normal`, `fast`, `lite`.",
      "type": "string",
      "x-known-values": [
       "normal",
       "fast",
       "lite"
      ],
      "x-vendor-word": [
       "assistant_mode"
      ],
      "x-not-shown": [
       {
        "id": "session-mode-values",
        "what": "Whether there are values beyond those accepted at creation."
       }
      ]
     },
     "is_advanced": {
      "description": "Carried by session responses according to the change history; what it says of the session is not shown.",
      "x-not-shown": [
       {
        "id": "session-is-advanced-type",
        "what": "The type."
       }
      ]
     },
     "is_archived": {
      "description": "Whether the session is archived.",
      "type": "boolean",
      "default": false
     },
     "origin": {
      "description": "Origin of the session. Values of the filter `origins`: `webapp`, `slack`, `teams`, `api`, `linear`, `jira`, `other`.",
      "type": "string",
      "x-known-values": [
       "webapp",
       "slack",
       "teams",
       "api",
       "linear",
       "jira",
       "other"
      ],
      "x-not-shown": [
       {
        "id": "session-origin-values",
        "what": "Whether there are values beyond those of the filter."
       }
      ]
     },
     "playbook_id": {
      "description": "Id of a playbook; its relation to the session is not shown.",
      "type": "string"
     },
     "security_profile": {
      "$ref": "#/components/schemas/SessionSecurityProfile",
      "description": "Security profile of the session."
     },
     "service_user_id": {
      "description": "Id of a service user; its relation to the session is not shown.",
      "type": "string"
     },
     "user_id": {
      "description": "Id of a user; its relation to the session is not shown.",
      "type": "string"
     },
     "structured_output": {
      "description": "Free-form object; what it holds is not shown.",
      "type": "object",
      "additionalProperties": true
     }
    },
    "examples": [
     {
      "session_id": "assistant-1",
      "org_id": "org-acme",
      "url": "https://platform.invalid/sessions/assistant-1",
      "created_at": 1760000000,
      "updated_at": 1760000060,
      "acus_consumed": 1.5,
      "tags": [
       "nightly"
      ],
      "pull_requests": [
       {
        "pr_url": "https://git.example.com/acme/shop/pull/7"
       }
      ],
      "title": "Fix the flaky test",
      "assistant_mode": "fast",
      "is_archived": false,
      "origin": "api"
     }
    ]
   },
   "SessionPullRequest": {
    "description": "A pull request of a session.",
    "type": "object",
    "x-not-shown": [
     {
      "id": "session-pull-request-required-fields",
      "what": "Which members are always present."
     }
    ],
    "properties": {
     "pr_state": {
      "description": "State of the pull request.",
      "type": "string",
      "x-not-shown": [
       {
        "id": "session-pr-state-values",
        "what": "Allowed values."
       }
      ]
     },
     "pr_url": {
      "description": "URL of the pull request.",
      "type": "string"
     }
    },
    "examples": [
     {
      "pr_url": "https://git.example.com/acme/shop/pull/7"
     }
    ]
   },
   "SessionSecurityProfile": {
    "description": "The security profile of a session.",
    "type": "object",
    "x-not-shown": [
     {
      "id": "session-security-profile-required-fields",
      "what": "Which members are always present."
     }
    ],
    "properties": {
     "selection": {
      "description": "Selection of the security profile; `inherit` appears as a value.",
      "type": "string",
      "x-known-values": [
       "inherit"
      ],
      "x-not-shown": [
       {
        "id": "session-security-profile-selection-values",
        "what": "Allowed values beyond `inherit`."
       }
      ]
     },
     "profile_id": {
      "description": "Id of a security profile; its relation to `selection` is not shown.",
      "type": "string"
     }
    },
    "examples": [
     {
      "selection": "inherit",
      "profile_id": "profile-1"
     }
    ]
   },
   "SessionMessagePage": {
    "description": "A page of messages.",
    "allOf": [
     {
      "$ref": "#/components/schemas/PageInfo"
     },
     {
      "type": "object",
      "required": [
       "items"
      ],
      "properties": {
       "items": {
        "description": "The page\u0027s messages; of the list at enterprise scope it is stated that they are in chronological order.",
        "type": "array",
        "items": {
         "$ref": "#/components/schemas/SessionMessage"
        }
       }
      }
     }
    ],
    "examples": [
     {
      "items": [
       {
        "created_at": 1760000000,
        "event_id": "event-1",
        "message": "On it.",
        "source": "assistant"
       }
      ],
      "end_cursor": null,
      "has_next_page": false,
      "total": 1
     }
    ]
   },
   "SessionMessage": {
    "description": "A message of a session.",
    "type": "object",
    "x-not-shown": [
     {
      "id": "message-required-fields",
      "what": "Which fields are always present."
     }
    ],
    "properties": {
     "created_at": {
      "description": "When the message was created, as an integer timestamp; unit not shown.",
      "type": "integer",
      "x-not-shown": [
       {
        "id": "message-created-at-unit",
        "what": "Unit of the integer timestamp."
       }
      ]
     },
     "event_id": {
      "description": "Id of an event; whether it names the message itself is not shown.",
      "type": "string"
     },
     "message": {
      "description": "Text of the message.",
      "type": "string"
     },
     "source": {
      "description": "Source of the message; `assistant` appears as a value.",
      "type": "string",
      "x-known-values": [
       "assistant"
      ],
      "x-vendor-word": [
       "assistant"
      ],
      "x-not-shown": [
       {
        "id": "message-source-values",
        "what": "Values beyond `assistant`."
       }
      ]
     }
    },
    "examples": [
     {
      "created_at": 1760000000,
      "event_id": "event-1",
      "message": "On it.",
      "source": "assistant"
     }
    ]
   },
   "BlueprintList": {
    "description": "The list of snapshot blueprints; not a paginated envelope.",
    "type": "object",
    "x-not-shown": [
     {
      "id": "blueprint-list-required-fields",
      "what": "Whether `data` is always present."
     }
    ],
    "properties": {
     "data": {
      "description": "The blueprints.",
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/Blueprint"
      }
     }
    },
    "examples": [
     {
      "data": [
       {
        "blueprint_id": "blueprint-1",
        "repo_name": "acme/shop",
        "type": "enterprise",
        "source": "git"
       }
      ]
     }
    ]
   },
   "Blueprint": {
    "description": "A snapshot blueprint.",
    "type": "object",
    "x-not-shown": [
     {
      "id": "blueprint-required-fields",
      "what": "Which fields are always present."
     }
    ],
    "properties": {
     "blueprint_id": {
      "description": "Id of the blueprint.",
      "type": "string",
      "x-resource-id": true
     },
     "created_at": {
      "description": "When the blueprint was created, as an integer timestamp; unit not shown.",
      "type": "integer",
      "x-not-shown": [
       {
        "id": "blueprint-created-at-unit",
        "what": "Unit of the integer timestamp."
       }
      ]
     },
     "updated_at": {
      "description": "When the blueprint was last updated, as an integer timestamp; unit not shown.",
      "type": "integer",
      "x-not-shown": [
       {
        "id": "blueprint-updated-at-unit",
        "what": "Unit of the integer timestamp."
       }
      ]
     },
     "repo_name": {
      "description": "Name of a repository; its relation to the blueprint is not shown.",
      "type": "string"
     },
     "type": {
      "description": "Type of the blueprint; `enterprise` appears as a value.",
      "type": "string",
      "x-known-values": [
       "enterprise"
      ],
      "x-not-shown": [
       {
        "id": "blueprint-type-values",
        "what": "Values beyond `enterprise`."
       }
      ]
     },
     "build_on_default_branch_commit": {
      "description": "Whether a commit on the default branch leads to a build, as the name says.",
      "type": "boolean"
     },
     "report_check_runs": {
      "description": "Whether check runs are reported, as the name says.",
      "type": "boolean"
     },
     "source": {
      "description": "Source of the blueprint; `git` appears as a value.",
      "type": "string",
      "x-known-values": [
       "git"
      ],
      "x-not-shown": [
       {
        "id": "blueprint-source-values",
        "what": "Values beyond `git`."
       }
      ]
     }
    },
    "examples": [
     {
      "blueprint_id": "blueprint-1",
      "repo_name": "acme/shop",
      "type": "enterprise",
      "source": "git"
     }
    ]
   },
   "RepositoryIndexStatus": {
    "description": "The indexing status of one repository.",
    "type": "object",
    "required": [
     "name",
     "indexing_enabled",
     "latest_index",
     "latest_completed_search_index_job",
     "latest_completed_wiki_index_job"
    ],
    "properties": {
     "name": {
      "description": "Name of the repository.",
      "type": "string"
     },
     "indexing_enabled": {
      "description": "Whether indexing of the repository is enabled.",
      "type": "boolean"
     },
     "latest_index": {
      "$ref": "#/components/schemas/RepoIndexJob",
      "description": "The latest index job; whether it has completed is not shown."
     },
     "latest_completed_search_index_job": {
      "$ref": "#/components/schemas/RepoIndexJob",
      "description": "The latest completed job of the search index."
     },
     "latest_completed_wiki_index_job": {
      "$ref": "#/components/schemas/RepoIndexJob",
      "description": "The latest completed job of the wiki index."
     }
    },
    "examples": [
     {
      "name": "acme/shop",
      "indexing_enabled": true,
      "latest_index": {
       "commit": "9fceb02d0ae598e95dc970b74767f19372d61af8",
       "created_at": "2026-11-20T09:00:00Z",
       "job_id": "job-1",
       "status": "failed"
      },
      "latest_completed_search_index_job": {
       "commit": "9fceb02d0ae598e95dc970b74767f19372d61af8",
       "created_at": "2026-11-20T09:00:00Z",
       "job_id": "job-1",
       "status": "failed"
      },
      "latest_completed_wiki_index_job": {
       "commit": "9fceb02d0ae598e95dc970b74767f19372d61af8",
       "created_at": "2026-11-20T09:00:00Z",
       "job_id": "job-1",
       "status": "failed"
      }
     }
    ]
   },
   "RepoIndexJob": {
    "description": "A job that indexes a repository.",
    "type": "object",
    "x-not-shown": [
     {
      "id": "repo-index-job-required-fields",
      "what": "Which fields are always present."
     }
    ],
    "properties": {
     "commit": {
      "description": "The commit that the job is about.",
      "type": "string"
     },
     "created_at": {
      "description": "When the job was created.",
      "type": "string",
      "format": "date-time"
     },
     "job_id": {
      "description": "Id of the job.",
      "type": "string"
     },
     "status": {
      "description": "Status of the job; `failed` appears as a value.",
      "type": "string",
      "x-known-values": [
       "failed"
      ],
      "x-not-shown": [
       {
        "id": "repo-index-job-status-values",
        "what": "Values beyond `failed`."
       }
      ]
     }
    },
    "examples": [
     {
      "commit": "9fceb02d0ae598e95dc970b74767f19372d61af8",
      "created_at": "2026-11-20T09:00:00Z",
      "job_id": "job-1",
      "status": "failed"
     }
    ]
   },
   "Problem": {
    "description": "A problem detail (RFC 9457).",
    "type": "object",
    "required": [
     "title",
     "status"
    ],
    "properties": {
     "title": {
      "description": "Short summary of the problem type.",
      "type": "string"
     },
     "status": {
      "description": "HTTP status code.",
      "type": "integer"
     },
     "type": {
      "description": "URI reference of the problem type.",
      "type": "string",
      "default": "about:blank"
     },
     "detail": {
      "description": "Human-readable explanation for this occurrence.",
      "type": [
       "string",
       "null"
      ]
     },
     "instance": {
      "description": "The request path.",
      "type": [
       "string",
       "null"
      ]
     },
     "errors": {
      "description": "Field-level validation failures; only on 422.",
      "type": [
       "array",
       "null"
      ],
      "items": {
       "$ref": "#/components/schemas/ProblemFieldError"
      }
     }
    },
    "examples": [
     {
      "type": "about:blank",
      "title": "Forbidden",
      "status": 403,
      "detail": "service user lacks ViewOrgSessions",
      "instance": "/v3/organizations/org-acme/sessions"
     }
    ]
   },
   "ProblemFieldError": {
    "description": "One field-level validation failure; an object whose members are not shown.",
    "type": "object",
    "additionalProperties": true,
    "x-not-shown": [
     {
      "id": "problem-errors-members",
      "what": "The members of a field-level validation failure."
     }
    ],
    "examples": [
     {}
    ]
   },
   "ProblemWithCode": {
    "description": "A problem detail that includes an error code.",
    "allOf": [
     {
      "$ref": "#/components/schemas/Problem"
     },
     {
      "type": "object",
      "properties": {
       "error_code": {
        "description": "Code of the error, present on the error bodies of the organization session list and the blueprint endpoints.",
        "type": "string",
        "x-not-shown": [
         {
          "id": "error-code-values",
          "what": "The values."
         }
        ]
       }
      }
     }
    ],
    "examples": [
     {
      "type": "about:blank",
      "title": "Forbidden",
      "status": 403,
      "instance": "/v3/organizations/org-acme/sessions",
      "error_code": "code-1"
     }
    ]
   },
   "ValidationFailure": {
    "description": "The body of a validation failure at schedule creation.",
    "type": "object",
    "x-rules": [
     {
      "id": "schedule-validation-body",
      "text": "A validation failure at schedule creation has a body with `detail`, an array of {loc, msg, type}."
     }
    ],
    "x-not-shown": [
     {
      "id": "schedule-validation-required-fields",
      "what": "Which members are always present."
     }
    ],
    "properties": {
     "detail": {
      "description": "The validation failures, one entry each.",
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/ValidationIssue"
      }
     }
    },
    "examples": [
     {
      "detail": [
       {
        "loc": [
         "body",
         "name"
        ],
        "msg": "Field required",
        "type": "missing"
       }
      ]
     }
    ]
   },
   "ValidationIssue": {
    "description": "One validation failure at schedule creation.",
    "type": "object",
    "x-not-shown": [
     {
      "id": "validation-issue-required-fields",
      "what": "Which members are always present."
     }
    ],
    "properties": {
     "loc": {
      "description": "Location of the failure; what its entries stand for is not shown.",
      "type": "array",
      "items": {
       "type": "string"
      }
     },
     "msg": {
      "description": "Message about the failure.",
      "type": "string"
     },
     "type": {
      "description": "Type of the failure; its values are not shown.",
      "type": "string"
     }
    },
    "examples": [
     {
      "loc": [
       "body",
       "name"
      ],
      "msg": "Field required",
      "type": "missing"
     }
    ]
   }
  }
 }
}
"""
