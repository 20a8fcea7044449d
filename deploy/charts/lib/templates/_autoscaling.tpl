{{- /* Scales what answers requests by processor time. */ -}}
{{- define "lyceum.autoscaler" }}
{{- if and (eq .component "http") (eq (include "lyceum.is-scaled" .) "true") }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "lyceum.workload-name" . }}
  labels:
    {{- include "lyceum.labels" .service | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ include "lyceum.workload-name" . }} }
  minReplicas: {{ .size.replicas | int64 }}
  maxReplicas: {{ .size.autoscaling.maxReplicas | int64 }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ .size.autoscaling.cpuPercent | int64 }} }
  behavior:
    scaleDown: { stabilizationWindowSeconds: 300 }
{{- end }}
{{- end }}

{{- /* Scales consumers by how far their groups are behind in Kafka. Each join and each leave stops a group for a moment: it goes down slowly. */ -}}
{{- define "lyceum.lag-scaler" }}
{{- if and (eq .component "consumer") (eq (include "lyceum.is-scaled" .) "true") }}
{{- $scaling := .size.autoscaling }}
{{- $settings := merge (dict) (.service.values.settings | default dict) .service.shared.settings }}
{{- $mechanism := $settings.KAFKA_SASL_MECHANISM | default "" }}
{{- if not $scaling.groups }}
{{- fail (printf "%s: consumer.autoscaling.groups must name the topics and groups whose lag decides" .service.name) }}
{{- end }}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: {{ include "lyceum.workload-name" . }}
  labels:
    {{- include "lyceum.labels" .service | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  scaleTargetRef: { name: {{ include "lyceum.workload-name" . }} }
  minReplicaCount: {{ .size.replicas | int64 }}
  maxReplicaCount: {{ $scaling.maxReplicas | int64 }}
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        scaleDown: { stabilizationWindowSeconds: 300 }
  triggers:
    {{- range $scaling.groups }}
    - type: kafka
      metadata:
        bootstrapServers: {{ $settings.KAFKA_BROKERS | quote }}
        topic: {{ .topic | quote }}
        consumerGroup: {{ .group | quote }}
        lagThreshold: {{ include "lyceum.text" $scaling.lagThreshold | quote }}
        offsetResetPolicy: earliest
        ensureEvenDistributionOfPartitions: "true"
        {{- if eq (include "lyceum.text" ($settings.KAFKA_SSL | default false)) "true" }}
        tls: enable
        {{- end }}
        {{- if $mechanism }}
        sasl: {{ get (dict "plain" "plaintext" "scram-sha-256" "scram_sha256" "scram-sha-512" "scram_sha512") $mechanism }}
        {{- end }}
      {{- if $mechanism }}
      authenticationRef: { name: {{ include "lyceum.workload-name" $ }} }
      {{- end }}
    {{- end }}
{{- if $mechanism }}
---
apiVersion: keda.sh/v1alpha1
kind: TriggerAuthentication
metadata:
  name: {{ include "lyceum.workload-name" . }}
  labels:
    {{- include "lyceum.labels" .service | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  # Read from the environment of the container itself, where the password comes from the Secret.
  env:
    - { parameter: username, name: KAFKA_SASL_USERNAME, containerName: app }
    - { parameter: password, name: KAFKA_SASL_PASSWORD, containerName: app }
{{- end }}
{{- end }}
{{- end }}
