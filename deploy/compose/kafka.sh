#!/bin/sh
# Starts one Kafka process as broker and controller. It accepts SCRAM users, who may do what access control lists allow;
# "admin", who may do everything, gets the password of the first start.
set -eu
: "${KAFKA_PASSWORD:?is required}"
/opt/kafka/bin/kafka-storage.sh format --ignore-formatted --cluster-id palisade-data-proxies \
  --config /etc/palisade/kafka.properties --add-scram "SCRAM-SHA-512=[name=admin,password=$KAFKA_PASSWORD]"
exec /opt/kafka/bin/kafka-server-start.sh /etc/palisade/kafka.properties
