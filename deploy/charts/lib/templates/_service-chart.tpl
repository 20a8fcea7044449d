{{- /*
All objects of one service. A service chart calls it with
  root        the context of the chart
  isEdge      true for the gateway: it has one role, no database, and callers from outside
  secrets     keys of the Secret that this service reads beside those of every service; each may be missing
  knowsRoutes true for the services that need to know those that teams add: the gateway, which leads to them, and auth
  keepsFiles  true for the service that keeps files in a directory or a bucket
*/ -}}
{{- define "lyceum.service-chart" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
{{- $service := dict
      "name" $root.Chart.Name
      "chart" $root.Chart
      "manager" $root.Release.Service
      "values" $values
      "shared" $values.global.lyceum
      "isEdge" (.isEdge | default false)
      "knowsRoutes" (.knowsRoutes | default false)
      "secrets" (.secrets | default list)
      "keepsFiles" (.keepsFiles | default false) -}}
{{- $isTogether := eq ($values.roles | default "separate") "together" -}}
{{- $components := list "http" "consumer" "relay" -}}
{{- if $service.isEdge -}}{{- $components = list "http" -}}{{- else if $isTogether -}}{{- $components = list "all" -}}{{- end -}}
{{- include "lyceum.files.check" (dict "service" $service "isTogether" $isTogether) -}}
{{- $serving := dict "service" $service "component" (first $components) -}}
{{ include "lyceum.services" $serving }}
{{- include "lyceum.network-policy" $serving }}
{{- include "lyceum.files.claim" $serving }}
{{- include "lyceum.pod-monitor" $serving }}
{{- range $component := $components }}
{{- $workload := dict "service" $service "component" $component "size" (index $values $component) }}
{{- include "lyceum.deployment" $workload }}
{{- include "lyceum.disruption-budget" $workload }}
{{- include "lyceum.autoscaler" $workload }}
{{- include "lyceum.lag-scaler" $workload }}
{{- end }}
{{- include "lyceum.test" $serving }}
{{- end }}
