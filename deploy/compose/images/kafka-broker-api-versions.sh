#!/bin/sh
# Asks a broker what it understands, as the tool of this name does.
export CLASSPATH='/opt/kafka/lib/*'
exec java -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dorg.slf4j.simpleLogger.defaultLogLevel=error \
  kafka.admin.BrokerApiVersionsCommand "$@"
