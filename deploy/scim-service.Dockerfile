# Build from the root of the workspace: docker build -f deploy/scim-service.Dockerfile .

FROM node:24-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json ./
COPY libs libs
COPY apps/scim-service apps/scim-service
RUN node_modules/.bin/nest build scim-service

# The same in all images, so that they share the layer. Optional dependencies are the binaries of the embedded PostgreSQL,
# which production does not use; the deleted files are for editors, debuggers and other systems, and are half of the size.
FROM node:24-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && find node_modules -path '*/prebuilds/*' -type f ! -path '*/prebuilds/linux-*' -delete

# Writes nothing, so its file system can be mounted read-only.
FROM node:24-trixie-slim
ENV NODE_ENV=production SVC_SCIM_LISTEN=0.0.0.0:9091
WORKDIR /app
COPY package.json ./
COPY deploy/healthcheck.mjs deploy/healthcheck.mjs
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
EXPOSE 9091
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --start-interval=1s \
  CMD ["node", "deploy/healthcheck.mjs", "SVC_SCIM_LISTEN"]
CMD ["node", "--enable-source-maps", "--max-semi-space-size=8", "dist/apps/scim-service/src/main.js"]
ARG VERSION=dev
LABEL org.opencontainers.image.title="Palisade SCIM service" \
  org.opencontainers.image.description="SCIM 2.0 provisioning, bindings and access questions" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="$VERSION"
