"""The interface between HTTP and the resources: a handler receives a Call and returns a Reply.

Also code that several resources share: pages, merge patches, plain collections, and generic handlers for operations
that no resource handles.
"""

from .call import Call, Handler, Reply
from .collection import Collection
from .generic import GenericHandlers
from .merge_patch import merge_patch
from .paging import paginate

__all__ = ("Call", "Collection", "GenericHandlers", "Handler", "Reply", "merge_patch", "paginate")
