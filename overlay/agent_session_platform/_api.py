"""The names of the generated package: the only place that imports it, besides `models`, `resources` and `contract`."""

from __future__ import annotations

from agent_session_platform_api.api import EnterpriseScope as EnterpriseScope
from agent_session_platform_api.api import OrganizationMethods as OrganizationMethods
from agent_session_platform_api.api import OrganizationScope as OrganizationScope
from agent_session_platform_api.api import ResourceMethods as ResourceMethods
from agent_session_platform_api.catalogue import CREDENTIAL_PREFIXES as CREDENTIAL_PREFIXES
from agent_session_platform_api.catalogue import ID_PREFIXES as ID_PREFIXES
from agent_session_platform_api.catalogue import OPERATIONS as OPERATIONS
from agent_session_platform_api.catalogue import RESOURCE_IDS as RESOURCE_IDS
from agent_session_platform_api.contract import Documented as Documented
from agent_session_platform_api.contract import Gap as Gap
from agent_session_platform_api.contract import Observed as Observed
from agent_session_platform_api.contract import Rule as Rule
from agent_session_platform_api.decoding import UnexpectedTypeError as UnexpectedTypeError
from agent_session_platform_api.decoding import decode_nothing as decode_nothing
from agent_session_platform_api.decoding import decode_text as decode_text
from agent_session_platform_api.decoding import has_more as has_more
from agent_session_platform_api.encoding import UNSET as UNSET
from agent_session_platform_api.encoding import Unset as Unset
from agent_session_platform_api.encoding import json_type as json_type
from agent_session_platform_api.encoding import to_json as to_json
from agent_session_platform_api.errors import AgentPlatformError as AgentPlatformError
from agent_session_platform_api.errors import MissingFieldError as MissingFieldError
from agent_session_platform_api.interface import Download as Download
from agent_session_platform_api.interface import DownloadOptions as DownloadOptions
from agent_session_platform_api.interface import FileSource as FileSource
from agent_session_platform_api.interface import Follow as Follow
from agent_session_platform_api.interface import Follower as Follower
from agent_session_platform_api.interface import Outcome as Outcome
from agent_session_platform_api.interface import OutcomeT as OutcomeT
from agent_session_platform_api.interface import Page as Page
from agent_session_platform_api.interface import Pager as Pager
from agent_session_platform_api.interface import PolledChange as PolledChange
from agent_session_platform_api.interface import Reason as Reason
from agent_session_platform_api.interface import Until as Until
from agent_session_platform_api.interface import Wait as Wait
from agent_session_platform_api.model import Model as Model
from agent_session_platform_api.model import OpenModel as OpenModel
from agent_session_platform_api.model import open_value as open_value
from agent_session_platform_api.model import suggest as suggest
from agent_session_platform_api.operation import CallOptions as CallOptions
from agent_session_platform_api.operation import Operation as Operation
from agent_session_platform_api.operation import Parameter as Parameter
from agent_session_platform_api.operation import QueryValue as QueryValue
from agent_session_platform_api.operation import ReceivedResponse as ReceivedResponse
from agent_session_platform_api.operation import Request as Request

PACKAGE = EnterpriseScope.__module__.rpartition(".")[0]
"""The name of the generated package, to import its modules at their first use."""
