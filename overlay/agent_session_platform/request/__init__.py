"""What leaves: checked arguments, a written request, a credential, files to upload."""
