{{- /* Whether something else than the chart decides how many replicas there are. */ -}}
{{- define "lyceum.is-scaled" -}}
{{- $scaling := .size.autoscaling | default dict -}}
{{- $scaling.enabled | default false -}}
{{- end }}

{{- define "lyceum.deployment" }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "lyceum.workload-name" . }}
  labels:
    {{- include "lyceum.labels" .service | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- if ne (include "lyceum.is-scaled" .) "true" }}
  replicas: {{ .size.replicas | int64 }}
  {{- end }}
  revisionHistoryLimit: 5
  selector:
    matchLabels: {{- include "lyceum.selector" . | nindent 6 }}
  strategy:
    {{- if eq (include "lyceum.files.are-in-directory" .service) "true" }}
    # Two processes must never write to one directory.
    type: Recreate
    {{- else }}
    type: RollingUpdate
    rollingUpdate: { maxSurge: 25%, maxUnavailable: 0 }
    {{- end }}
  template: {{- include "lyceum.pod" . | nindent 4 }}
{{- end }}

{{- define "lyceum.disruption-budget" }}
{{- if gt (.size.replicas | int64) 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "lyceum.workload-name" . }}
  labels:
    {{- include "lyceum.labels" .service | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "lyceum.selector" . | nindent 6 }}
{{- end }}
{{- end }}
