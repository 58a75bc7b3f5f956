"""The RCX's link: what download tools say through an infra-red tower; `protocol` is the conversation."""
