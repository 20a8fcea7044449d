# Stands in for redis: the server of Debian, which listens to other containers as that image does.
FROM lyceum/engines-base:12
COPY redis-server /usr/local/bin/redis-server
RUN chmod 755 /usr/local/bin/redis-server && mkdir -p /data && chown 999:999 /data
USER 999:999
WORKDIR /data
VOLUME /data
CMD ["redis-server"]
