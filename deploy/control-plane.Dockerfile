# Build from the root of the workspace: docker build -f deploy/control-plane.Dockerfile .

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json ./
COPY libs libs
COPY apps apps
RUN node_modules/.bin/nest build control-plane

# Optional dependencies are the binaries of the embedded PostgreSQL, which production does not use.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

# Writes nothing to its file system, so it can be mounted read-only. HAProxy is there to check configurations only: what
# serves should be of the same version, or else name its program with load_balancer.binary.
FROM node:24-slim
RUN apt-get update && apt-get install --yes --no-install-recommends haproxy && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production SVC_CONTROL_LISTEN=0.0.0.0:8980
WORKDIR /app
COPY package.json ./
COPY deploy/healthcheck.mjs deploy/healthcheck.mjs
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
EXPOSE 8980
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --start-interval=1s \
  CMD ["node", "deploy/healthcheck.mjs", "SVC_CONTROL_LISTEN"]
CMD ["node", "--enable-source-maps", "--max-semi-space-size=8", "dist/apps/control-plane/src/main.js"]
