"""The interface between HTTP and the resources: a handler receives a Call and returns a Reply.

Also code that several resources share: pages, merge patches, plain collections, and generic handlers for operations
that no resource handles.
"""

from .call import Call, Collection, Handler, Reply
from .forms import paginate
from .generic import GenericHandlers, merge_patch

__all__ = ("Call", "Collection", "GenericHandlers", "Handler", "Reply", "merge_patch", "paginate")
