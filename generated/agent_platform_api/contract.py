# Generated from openapi.yaml by codegen/generate.py: change those, not this file.
"""The contract itself, for who validates against it."""

from __future__ import annotations

import json
from typing import Any


def load() -> dict[str, Any]:
    """Parse the OpenAPI document; each call gives a copy of its own."""
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
   }
  ]
 },
 "servers": [
  {
   "url": "{base_url}",
   "description": "The base address is not shown; every path is relative to it.",
   "variables": {
    "base_url": {
     "default": "https://platform.invalid",
     "description": "A reserved name (RFC 2606) that stands in for the address of a deployment."
    }
   }
  }
 ],
 "tags": [
  {
   "name": "automations",
   "description": "What schedules are deprecated in favor of."
  },
  {
   "name": "blueprints",
   "description": "Enterprise-tier snapshot blueprints."
  },
  {
   "name": "members",
   "description": "Membership of the enterprise."
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
   "name": "schedules",
   "description": "Sessions that run once or on a cron recurrence. Deprecated in favor of automations."
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
      "description": "Named by the description; type and effect are not shown.",
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
      "text": "From 24 September 2026 schedule creation returns 403 for organizations already migrated to automations; organizations still migrating keep it until migration completes. Read, update and delete keep working for existing schedules, which are to be converted later."
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
      "description": "Only the user with exactly this address.",
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
  "/beta/v2/enterprise/repositories/{org_id}": {
   "parameters": [
    {
     "name": "org_id",
     "in": "path",
     "required": true,
     "description": "Id of the organization.",
     "schema": {
      "type": "string"
     },
     "example": "org-acme"
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
    "schema": {
     "type": "string"
    },
    "example": "org-acme"
   },
   "AssistantId": {
    "name": "assistant_id",
    "in": "path",
    "required": true,
    "description": "Id of the session, with the prefix `assistant-`.",
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
   "After": {
    "name": "after",
    "in": "query",
    "required": false,
    "description": "Cursor from the `end_cursor` of the page before.",
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
      "description": "Cursor for the next page; null when this is the last page.",
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
      "type": "string"
     },
     "email": {
      "type": [
       "string",
       "null"
      ]
     },
     "name": {
      "type": [
       "string",
       "null"
      ]
     },
     "role_assignments": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/RoleAssignment"
      }
     },
     "enterprise_joined_at": {
      "description": "When the user was added to the enterprise.",
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
      "$ref": "#/components/schemas/Role"
     },
     "org_id": {
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
      "type": "string"
     },
     "role_name": {
      "type": "string"
     },
     "role_type": {
      "$ref": "#/components/schemas/RoleType"
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
      "$ref": "#/components/schemas/ReviewStatus"
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
      "type": "string"
     },
     "prompt": {
      "type": "string"
     },
     "agent": {
      "$ref": "#/components/schemas/ScheduleAgent",
      "default": "assistant"
     },
     "bypass_approval": {
      "type": "boolean",
      "default": false
     },
     "create_as_user_id": {
      "description": "Impersonation; see the rules of the operation.",
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
      "type": "integer",
      "default": 1
     },
     "notify_on": {
      "$ref": "#/components/schemas/ScheduleNotifyOn",
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
      "type": [
       "string",
       "null"
      ]
     },
     "schedule_type": {
      "$ref": "#/components/schemas/ScheduleType",
      "default": "recurring"
     },
     "scheduled_at": {
      "description": "Required when schedule_type is `one_time`; ISO 8601 with timezone; must be in the future.",
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     },
     "slack_channel_id": {
      "type": [
       "string",
       "null"
      ]
     },
     "slack_team_id": {
      "type": [
       "string",
       "null"
      ]
     },
     "tags": {
      "type": [
       "array",
       "null"
      ],
      "items": {
       "type": "string"
      }
     },
     "target_assistant_id": {
      "type": [
       "string",
       "null"
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
    "description": "Which agent a schedule starts.",
    "type": "string",
    "enum": [
     "assistant",
     "data_analyst"
    ],
    "examples": [
     "assistant"
    ]
   },
   "ScheduleNotifyOn": {
    "description": "When a schedule notifies.",
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
      "$ref": "#/components/schemas/ScheduleAgent"
     },
     "consecutive_failures": {
      "type": "integer"
     },
     "created_at": {
      "type": "string",
      "format": "date-time"
     },
     "created_by": {
      "type": [
       "string",
       "null"
      ]
     },
     "enabled": {
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
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     },
     "last_error_message": {
      "type": [
       "string",
       "null"
      ]
     },
     "last_executed_at": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     },
     "name": {
      "type": "string"
     },
     "notify_on": {
      "$ref": "#/components/schemas/ScheduleNotifyOn"
     },
     "org_id": {
      "type": "string"
     },
     "playbook": {
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
      "type": "string"
     },
     "scheduled_session_id": {
      "type": "string"
     },
     "updated_at": {
      "type": "string",
      "format": "date-time"
     },
     "bypass_approval": {
      "type": "boolean",
      "default": false
     },
     "interval_count": {
      "type": "integer",
      "default": 1
     },
     "last_edited_by": {
      "type": [
       "string",
       "null"
      ]
     },
     "platform": {
      "type": [
       "string",
       "null"
      ]
     },
     "schedule_type": {
      "$ref": "#/components/schemas/ScheduleType",
      "default": "recurring"
     },
     "scheduled_at": {
      "type": [
       "string",
       "null"
      ],
      "format": "date-time"
     },
     "slack_channel_id": {
      "type": [
       "string",
       "null"
      ]
     },
     "slack_team_id": {
      "type": [
       "string",
       "null"
      ]
     },
     "tags": {
      "type": [
       "array",
       "null"
      ],
      "items": {
       "type": "string"
      }
     },
     "target_assistant_id": {
      "type": [
       "string",
       "null"
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
      "type": "string"
     },
     "title": {
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
      "$ref": "#/components/schemas/AssistantMode"
     },
     "create_as_user_id": {
      "description": "Impersonation; the rules of schedule creation apply.",
      "type": [
       "string",
       "null"
      ],
      "x-inferred": "The type is that of the schedule\u0027s parameter of the same name, to whose rules this one refers."
     },
     "session_secrets": {
      "description": "Temporary secrets, not stored as organization secrets."
     },
     "child_playbook_id": {
      "description": "Named by the description; type not shown."
     },
     "session_links": {
      "description": "Named by the description; type not shown."
     },
     "bypass_approval": {
      "description": "Named by the description; type not shown."
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
      "description": "Id with the prefix `assistant-`.",
      "type": "string"
     },
     "org_id": {
      "description": "Id with the prefix `org-`.",
      "type": "string"
     },
     "url": {
      "type": "string"
     },
     "status": {
      "type": "string",
      "x-not-shown": [
       {
        "id": "session-status-values",
        "what": "Allowed values."
       }
      ]
     },
     "status_detail": {
      "type": "string",
      "x-not-shown": [
       {
        "id": "session-status-detail-values",
        "what": "Allowed values."
       }
      ]
     },
     "created_at": {
      "type": "integer",
      "x-not-shown": [
       {
        "id": "session-created-at-unit",
        "what": "Unit of the integer timestamp."
       }
      ]
     },
     "updated_at": {
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
      "type": "number"
     },
     "tags": {
      "type": "array",
      "items": {
       "type": "string"
      }
     },
     "pull_requests": {
      "type": "array",
      "items": {
       "$ref": "#/components/schemas/SessionPullRequest"
      }
     },
     "automation_id": {
      "type": "string"
     },
     "category": {
      "type": "string",
      "x-not-shown": [
       {
        "id": "session-category-values",
        "what": "Allowed values."
       }
      ]
     },
     "subcategory": {
      "type": "string"
     },
     "title": {
      "type": "string"
     },
     "child_session_ids": {
      "type": "array",
      "items": {
       "type": "string"
      }
     },
     "parent_session_id": {
      "type": "string"
     },
     "assistant_mode": {
      "description": "Values accepted at creation: `normal`, `fast`, `lite`.",
      "type": "string",
      "x-known-values": [
       "normal",
       "fast",
       "lite"
      ]
     },
     "is_advanced": {
      "description": "Carried by session responses according to the change history.",
      "x-not-shown": [
       {
        "id": "session-is-advanced-type",
        "what": "The type."
       }
      ]
     },
     "is_archived": {
      "type": "boolean",
      "default": false
     },
     "origin": {
      "description": "Filter values: `webapp`, `slack`, `teams`, `api`, `linear`, `jira`, `other`.",
      "type": "string",
      "x-known-values": [
       "webapp",
       "slack",
       "teams",
       "api",
       "linear",
       "jira",
       "other"
      ]
     },
     "playbook_id": {
      "type": "string"
     },
     "security_profile": {
      "$ref": "#/components/schemas/SessionSecurityProfile"
     },
     "service_user_id": {
      "type": "string"
     },
     "user_id": {
      "type": "string"
     },
     "structured_output": {
      "description": "Free-form object.",
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
    "properties": {
     "pr_state": {
      "type": "string",
      "x-not-shown": [
       {
        "id": "session-pr-state-values",
        "what": "Allowed values."
       }
      ]
     },
     "pr_url": {
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
    "properties": {
     "selection": {
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
        "description": "The page\u0027s messages, in chronological order.",
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
      "type": "integer",
      "x-not-shown": [
       {
        "id": "message-created-at-unit",
        "what": "Unit of the integer timestamp."
       }
      ]
     },
     "event_id": {
      "type": "string"
     },
     "message": {
      "type": "string"
     },
     "source": {
      "type": "string",
      "x-known-values": [
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
      "type": "string"
     },
     "created_at": {
      "type": "integer",
      "x-not-shown": [
       {
        "id": "blueprint-created-at-unit",
        "what": "Unit of the integer timestamp."
       }
      ]
     },
     "updated_at": {
      "type": "integer",
      "x-not-shown": [
       {
        "id": "blueprint-updated-at-unit",
        "what": "Unit of the integer timestamp."
       }
      ]
     },
     "repo_name": {
      "type": "string"
     },
     "type": {
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
      "type": "boolean"
     },
     "report_check_runs": {
      "type": "boolean"
     },
     "source": {
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
      "type": "string"
     },
     "indexing_enabled": {
      "type": "boolean"
     },
     "latest_index": {
      "$ref": "#/components/schemas/RepoIndexJob"
     },
     "latest_completed_search_index_job": {
      "$ref": "#/components/schemas/RepoIndexJob"
     },
     "latest_completed_wiki_index_job": {
      "$ref": "#/components/schemas/RepoIndexJob"
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
    "description": "One run of the repository indexer.",
    "type": "object",
    "x-not-shown": [
     {
      "id": "repo-index-job-required-fields",
      "what": "Which fields are always present."
     }
    ],
    "properties": {
     "commit": {
      "type": "string"
     },
     "created_at": {
      "type": "string",
      "format": "date-time"
     },
     "job_id": {
      "type": "string"
     },
     "status": {
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
        "description": "Present on the error bodies of the organization session list and the blueprint endpoints.",
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
    "properties": {
     "loc": {
      "type": "array",
      "items": {
       "type": "string"
      }
     },
     "msg": {
      "type": "string"
     },
     "type": {
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
