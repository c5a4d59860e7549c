/**
 * The programs that contract and end-to-end tests run, or that run for them: where each comes from when the machine does
 * not have it. `environment` overrides, see variableOf().
 */
export const PROGRAMS = [
  { name: 'redis-server', packages: ['redis-server'], image: 'redis:7.0.15', brew: 'redis' },
  { name: 'nats-server', packages: ['nats-server'], image: 'nats:2.9.25-alpine', brew: 'nats-server' },
  { name: 'haproxy', packages: ['haproxy'], image: 'haproxy:2.6.12', brew: 'haproxy' },
  { name: 'nginx', packages: ['nginx'], image: 'nginx:1.22.1', brew: 'nginx' },
  { name: 'knotd', packages: ['knot'], image: 'cznic/knot:v3.3.4', brew: 'knot' },
  { name: 'keymgr', packages: ['knot'], image: 'cznic/knot:v3.3.4', brew: 'knot' },
  { name: 'knsupdate', packages: ['knot-dnsutils'], image: 'cznic/knot:v3.3.4', brew: 'knot' },
  { name: 'prometheus', packages: ['prometheus'], image: 'prom/prometheus:v2.42.0', brew: 'prometheus' },
  { name: 'promtool', packages: ['prometheus'], image: 'prom/prometheus:v2.42.0', brew: 'prometheus' },
  { name: 'java', packages: ['default-jre-headless'], image: 'eclipse-temurin:17.0.15_6-jre', brew: 'openjdk@17' },
  { name: 'openssl', packages: ['openssl'], image: 'nginx:1.22.1', brew: 'openssl' },
];

/** Downloads Kafka's jars; needed only as long as they are not in the cache. */
export const MAVEN = { name: 'mvn', packages: ['maven'], image: 'maven:3.9.9-eclipse-temurin-17', brew: 'maven' };

/** The variable that names a program's file: PALISADE_NATS_SERVER_BINARY for `nats-server`. */
export function variableOf(name) {
  return `PALISADE_${name.toUpperCase().replaceAll('-', '_')}_BINARY`;
}
