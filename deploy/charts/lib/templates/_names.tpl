{{- /* Names of Services are those of the services, whatever the release is called: one installation is one namespace. */ -}}
{{- define "lyceum.workload-name" -}}
{{- if eq .component "all" -}}{{ .service.name }}{{- else -}}{{ .service.name }}-{{ .component }}{{- end -}}
{{- end }}

{{- /* What selects the pods of one workload. Kubernetes never lets it change: no version, no release, no chart is in it. */ -}}
{{- define "lyceum.selector" -}}
app.kubernetes.io/name: {{ .service.name }}
app.kubernetes.io/instance: {{ .service.shared.installation }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- /* What selects all pods of an installation. */ -}}
{{- define "lyceum.installation-selector" -}}
app.kubernetes.io/instance: {{ .shared.installation }}
app.kubernetes.io/part-of: lyceum
{{- end }}

{{- /* Labels of every object of a service. */ -}}
{{- define "lyceum.labels" -}}
app.kubernetes.io/name: {{ .name }}
{{ include "lyceum.installation-selector" . }}
app.kubernetes.io/version: {{ .chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .manager }}
helm.sh/chart: {{ .name }}-{{ .chart.Version | replace "+" "_" }}
{{- end }}

{{- define "lyceum.image" -}}
{{- $image := .values.image -}}
{{- $shared := .shared.image -}}
{{- $repository := printf "lyceum-%s" .name -}}
{{- if $shared.registry -}}{{- $repository = printf "%s/%s" (trimSuffix "/" $shared.registry) $repository -}}{{- end -}}
{{- if $image.digest -}}
{{ $repository }}@{{ $image.digest }}
{{- else -}}
{{ $repository }}:{{ $image.tag | default $shared.tag | default .chart.AppVersion }}
{{- end -}}
{{- end }}
