{{- /* One egress rule: to whom, at which ports. Nobody named, no rule: an empty list would mean everybody to Kubernetes. */ -}}
{{- define "lyceum.egress-rule" -}}
{{- if and . .to .ports }}
- to: {{- toYaml .to | nindent 4 }}
  ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ . | int64 }} }
    {{- end }}
{{- end }}
{{- end }}

{{- /* The ports in KAFKA_BROKERS. */ -}}
{{- define "lyceum.kafka-ports" -}}
{{- $ports := list -}}
{{- range splitList "," . -}}{{- $ports = append $ports (splitList ":" (trim .) | last | int64) -}}{{- end -}}
{{- $ports | uniq | toJson -}}
{{- end }}

{{- /* Pods of the service talk to whom they must, and to nobody else: everything that is not named here is refused. */ -}}
{{- define "lyceum.network-policy" }}
{{- $service := .service }}
{{- $policy := $service.shared.networkPolicy }}
{{- if $policy.enabled }}
{{- $settings := merge (dict) ($service.values.settings | default dict) $service.shared.settings }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ $service.name }}
  labels: {{- include "lyceum.labels" $service | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      app.kubernetes.io/name: {{ $service.name }}
      app.kubernetes.io/instance: {{ $service.shared.installation }}
  policyTypes: [Ingress, Egress]
  ingress:
    # Other services, and helm test.
    - from:
        - podSelector:
            matchLabels: {{- include "lyceum.installation-selector" $service | nindent 14 }}
        {{- if and $service.isEdge $policy.edgeFrom }}
        {{- toYaml $policy.edgeFrom | nindent 8 }}
        {{- end }}
      ports:
        - { protocol: TCP, port: http }
    {{- with $policy.operatorsFrom }}
    - from: {{- toYaml . | nindent 8 }}
      ports:
        - { protocol: TCP, port: operator }
    {{- end }}
  egress:
    {{- with $policy.dns }}
    - to: {{- toYaml . | nindent 8 }}
      ports:
        - { protocol: UDP, port: 53 }
        - { protocol: TCP, port: 53 }
    {{- end }}
    # The processes of the installation.
    - to:
        - podSelector:
            matchLabels: {{- include "lyceum.installation-selector" $service | nindent 14 }}
      ports:
        - { protocol: TCP, port: 8080 }
    {{- range $name, $rule := $policy.egress }}
    {{- if not (and $service.isEdge (eq $name "mongodb")) }}
    {{- $ports := $rule.ports }}
    {{- if and (eq $name "kafka") (not $ports) }}{{- $ports = include "lyceum.kafka-ports" $settings.KAFKA_BROKERS | fromJsonArray }}{{- end }}
    {{- include "lyceum.egress-rule" (dict "to" $rule.to "ports" $ports) | nindent 4 }}
    {{- end }}
    {{- end }}
    {{- range $name, $rule := $service.values.egress }}
    {{- if not (and (eq $name "bucket") (eq (include "lyceum.files.are-in-directory" $service) "true")) }}
    {{- include "lyceum.egress-rule" $rule | nindent 4 }}
    {{- end }}
    {{- end }}
{{- end }}
{{- end }}

{{- /* Prometheus reads every pod of the service, each role of it. */ -}}
{{- define "lyceum.pod-monitor" }}
{{- $service := .service }}
{{- $monitor := $service.shared.podMonitor }}
{{- if $monitor.enabled }}
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata:
  name: {{ $service.name }}
  labels:
    {{- include "lyceum.labels" $service | nindent 4 }}
    {{- with $monitor.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  selector:
    matchLabels:
      app.kubernetes.io/name: {{ $service.name }}
      app.kubernetes.io/instance: {{ $service.shared.installation }}
    matchExpressions:
      - { key: app.kubernetes.io/component, operator: NotIn, values: [test] }
  # One job for all of them: "lyceum", which alerts and dashboards select.
  jobLabel: app.kubernetes.io/part-of
  podMetricsEndpoints:
    - port: operator
      path: /metrics
      interval: {{ $monitor.interval }}
      authorization:
        credentials: { name: {{ $service.shared.secret.name }}, key: OPERATOR_TOKEN }
{{- end }}
{{- end }}
