# One image for each program that runs in a cluster, each a single bundled file on Node.
#   npm run build
#   npm run images:base
#   docker build --target controller -t registry.example.com/pinion/controller:0.2.0 .
# Targets: controller, node-lifecycle, registrar, quota, canary, submission, gateway, client-monitor.
# The images run as a user without privileges, write no file and have no shell: use them with a read-only root file system.

# "base" is built from scratch here. To use a registry's image of Node instead, give its digest; images:base is not needed then:
#   --build-arg BASE=docker.io/library/node:24-trixie-slim@sha256:...
ARG BASE=base

# The root file system that "npm run images:base" writes for each architecture: Node, its libraries, CA certificates, users.
FROM scratch AS base
ARG TARGETARCH
ADD build/images/base-${TARGETARCH}.tar /
ENV PATH=/usr/bin

FROM ${BASE} AS runtime
ENV NODE_ENV=production
USER 65532:65532
WORKDIR /pinion
# COPY gives its mode to the folders that it makes, too: without the execute bit, nobody but root could open what is in them.
COPY --chmod=0555 LICENSE NOTICE THIRD_PARTY_NOTICES.txt /pinion/licenses/

# The traffic part of the runtime profile starts the program by this path.
FROM runtime AS registrar
COPY --chmod=0555 build/bin/registrar.js /pinion/registrar.js
ENTRYPOINT ["node", "/pinion/registrar.js"]

# Node approver and drain consumer; the first argument selects the program.
FROM runtime AS node-lifecycle
COPY --chmod=0555 build/bin/node-lifecycle.js /pinion/node-lifecycle.js
ENTRYPOINT ["node", "/pinion/node-lifecycle.js"]

# Quota monitor.
FROM runtime AS quota
COPY --chmod=0555 build/bin/quota.js /pinion/quota.js
ENTRYPOINT ["node", "/pinion/quota.js"]

# Canary, and the workloads that it deploys. cloud.js is the part that talks to S3.
FROM runtime AS canary
COPY --chmod=0555 build/bin/canary.js build/bin/cloud.js /pinion/bin/
ENTRYPOINT ["node", "/pinion/bin/canary.js"]

# Submission service and the page that it serves. cloud.js is the part that talks to S3.
FROM runtime AS submission
COPY --chmod=0555 build/bin/submission.js build/bin/cloud.js /pinion/bin/
COPY --chmod=0555 build/page/ /pinion/page/
ENTRYPOINT ["node", "/pinion/bin/submission.js"]

# Gateway to the API server.
FROM runtime AS gateway
COPY --chmod=0555 build/bin/gateway.js /pinion/gateway.js
ENTRYPOINT ["node", "/pinion/gateway.js"]

# Client monitor on control plane nodes.
FROM runtime AS client-monitor
COPY --chmod=0555 build/bin/client-monitor.js /pinion/client-monitor.js
ENTRYPOINT ["node", "/pinion/client-monitor.js"]

FROM runtime AS controller
COPY --chmod=0555 build/bin/controller.js /pinion/controller.js
ENTRYPOINT ["node", "/pinion/controller.js"]
