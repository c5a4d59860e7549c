#!/bin/sh
# Creates the file .env next to docker-compose.yml, with new secrets for the profiles that the arguments name:
#   sh deploy/compose/make-env.sh proxies backends
# An existing file is left alone: volumes keep the old passwords, so new ones would not match.
set -eu
umask 077
file=$(dirname "$0")/../../.env

for profile in "$@"; do
  case $profile in
  proxies | backends | observability | tracing) ;;
  *)
    echo "make-env.sh: no profile \"$profile\": expected proxies, backends, observability or tracing" >&2
    exit 2
    ;;
  esac
done

has() { case " $profiles " in *" $1 "*) ;; *) return 1 ;; esac }
# Prints a variable with a new secret, and keeps it in $value. The assignment fails if there is no source of randomness;
# the leading letter keeps configuration files from taking it for a number.
secret() {
  value=$(openssl rand -hex 24)
  value=p$value
  echo "$1=$value"
}

profiles=$*
if [ -e "$file" ]; then
  echo "make-env.sh: $file exists already" >&2
  exit 1
fi
# The next run would take an incomplete file for a complete one.
made=$(mktemp "$file.XXXXXX")
trap 'rm -f "$made"' EXIT
{
  echo "COMPOSE_PROFILES=$(echo "$profiles" | tr ' ' ',')"
  secret POSTGRES_PASSWORD
  secret STORE_PASSWORD
  secret SVC_SCIM_BEARER_TOKEN
  secret SVC_ADMIN_TOKEN
  if has proxies; then
    echo "CONTROL_PLANE_CONFIG=./deploy/compose/control-plane.proxies.yaml"
    secret DATA_ADMIN_PASSWORD
    secret DATA_PROXY_PASSWORD
    secret DATA_PROXY_CONTROL_TOKEN
    digest=$(printf %s "$value" | openssl dgst -sha256 -r)
    echo "CONTROL_PLANE_PROXY_TOKEN_DIGESTS=data-proxies:${digest%% *}:standard"
  fi
  if has backends; then
    secret REDIS_PASSWORD
    secret REDIS_ADMIN_PASSWORD
    secret NATS_PASSWORD
    secret KAFKA_PASSWORD
    secret DATA_PROXY_BACKEND_SECRET
  fi
  if has observability; then
    secret GRAFANA_ADMIN_PASSWORD
    secret METRICS_TOKEN
    digest=$(printf %s "$value" | openssl dgst -sha256 -r)
    echo "SVC_ADMIN_TOKEN_DIGESTS=prometheus:${digest%% *}:read"
  fi
  if has tracing; then
    echo "OTEL_TRACES_EXPORTER=otlp"
  fi
} >"$made"
mv "$made" "$file"
