#!/bin/sh
# Starts Redis with only the users that data proxies need: one that creates the users of tenants, and one that only scans for keys.
set -eu
: "${REDIS_ADMIN_PASSWORD:?is required}" "${REDIS_PASSWORD:?is required}"
umask 077
cat >/tmp/users.acl <<END
user default off
user data_admin on >$REDIS_ADMIN_PASSWORD -@all +acl +hello +auth +ping +multi +exec
user data_proxy on >$REDIS_PASSWORD ~tenant:* -@all +hello +auth +ping +scan
END
exec redis-server --dir /data --appendonly yes --maxmemory 512mb --maxmemory-policy noeviction --aclfile /tmp/users.acl
