# Stands in for jaegertracing/jaeger: takes traces by OTLP/HTTP in JSON, and tells which services they are of.
ARG NODE_IMAGE
FROM ${NODE_IMAGE}
COPY jaeger.mjs /jaeger.mjs
USER 10001:10001
CMD ["node", "/jaeger.mjs"]
