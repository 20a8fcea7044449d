# The servers that an installation uses, from this machine: Redis and Java of Debian, Kafka and FerretDB of `npm run engines`.
FROM lyceum/engines-base:12
COPY kafka /opt/kafka
COPY ferretdb /usr/local/bin/ferretdb
RUN chmod 755 /usr/local/bin/ferretdb
USER 10001:10001
