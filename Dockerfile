# The controller, the programs that know machines, the traffic registrar, the watcher of quotas, the canary and the submission service,
# one file each, on a plain Node runtime.
#   npm run build
#   docker build --target controller -t registry.example.com/pinion/controller:0.1.0 .
#   docker build --target machines -t registry.example.com/pinion/machines:0.1.0 .
#   docker build --target registrar -t registry.example.com/pinion/registrar:0.1.0 .
#   docker build --target quota -t registry.example.com/pinion/quota:0.1.0 .
#   docker build --target canary -t registry.example.com/pinion/canary:0.1.0 .
#   docker build --target submission -t registry.example.com/pinion/submission:0.1.0 .
# Run as nobody, write no file, and need no shell: use them with a read-only root file system.
FROM node:20.19.5-bookworm-slim AS runtime
ENV NODE_ENV=production
USER 65532:65532
WORKDIR /pinion

# The traffic part of the runtime profile starts it by this path.
FROM runtime AS registrar
COPY --chmod=0444 build/bin/registrar.js /pinion/registrar.js
ENTRYPOINT ["node", "--enable-source-maps", "/pinion/registrar.js"]

# Node approver and drain consumer; the first argument says which.
FROM runtime AS machines
COPY --chmod=0444 build/bin/machines.js /pinion/machines.js
ENTRYPOINT ["node", "--enable-source-maps", "/pinion/machines.js"]

FROM runtime AS quota
COPY --chmod=0444 build/bin/quota.js /pinion/quota.js
ENTRYPOINT ["node", "--enable-source-maps", "/pinion/quota.js"]

# With its part that talks to S3; it is also what it deploys.
FROM runtime AS canary
COPY --chmod=0444 build/bin/canary.js build/bin/cloud.js /pinion/bin/
ENTRYPOINT ["node", "--enable-source-maps", "/pinion/bin/canary.js"]

# With the page that it serves, and its part that talks to S3.
FROM runtime AS submission
COPY --chmod=0444 build/bin/submission.js build/bin/cloud.js /pinion/bin/
COPY --chmod=0444 build/page/ /pinion/page/
ENTRYPOINT ["node", "--enable-source-maps", "/pinion/bin/submission.js"]

FROM runtime AS controller
COPY --chmod=0444 build/bin/controller.js /pinion/controller.js
ENTRYPOINT ["node", "--enable-source-maps", "/pinion/controller.js"]
