# Stands in for mongo: FerretDB on SQLite, behind the command lines of mongod and of mongosh.
FROM lyceum/engines-base:12
COPY ferretdb mongod mongosh /usr/local/bin/
RUN chmod 755 /usr/local/bin/* && mkdir -p /data/db && chown -R 999:999 /data
USER 999:999
VOLUME /data/db
CMD ["mongod"]
