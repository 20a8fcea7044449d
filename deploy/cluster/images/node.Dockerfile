# The base of the images where no registry of images can be reached: Debian from its packages, Node.js from its npm package.
FROM lyceum/debian:12
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY npmrc /usr/local/etc/npmrc
COPY authorities.crt /etc/ssl/certs/ca-certificates.crt
RUN chmod 755 /usr/local/bin/node \
  && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
  && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
