# Stands in for apache/kafka: the same settings by KAFKA_…, the same places, the same tool for the health check.
FROM lyceum/engines-base:12
COPY lib /opt/kafka/lib
COPY kafka-run /etc/kafka/docker/run
COPY kafka-broker-api-versions.sh /opt/kafka/bin/
RUN chmod 755 /etc/kafka/docker/run /opt/kafka/bin/* && mkdir -p /var/lib/kafka/data && chown -R 1000:1000 /var/lib/kafka
USER 1000:1000
VOLUME /var/lib/kafka/data
CMD ["/etc/kafka/docker/run"]
