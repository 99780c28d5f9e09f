# The controller (default) and the traffic registrar, one file each, on a plain Node runtime.
#   npm run build && docker build -t registry.example.com/pinion/controller:0.1.0 .
#   docker build --build-arg PROGRAM=registrar -t registry.example.com/pinion/registrar:0.1.0 .
# Runs as nobody, writes no file, and needs no shell: use it with a read-only root file system.
FROM node:20.19.5-bookworm-slim
ARG PROGRAM=controller
ENV NODE_ENV=production
COPY --chmod=0444 build/bin/${PROGRAM}.js /pinion/program.js
USER 65532:65532
WORKDIR /pinion
ENTRYPOINT ["node", "--enable-source-maps", "/pinion/program.js"]
