{{- /* A setting as text: Helm reads whole numbers as floating-point ones, which print as 7.776e+06. */ -}}
{{- define "lyceum.text" -}}
{{- if kindIs "float64" . -}}{{ int64 . }}{{- else -}}{{ . }}{{- end -}}
{{- end }}

{{- /* A quantity of memory such as 512Mi or 2Gi, in mebibytes. */ -}}
{{- define "lyceum.mebibytes" -}}
{{- if hasSuffix "Gi" . -}}{{ mul 1024 (trimSuffix "Gi" . | int64) }}{{- else -}}{{ trimSuffix "Mi" . | int64 }}{{- end -}}
{{- end }}

{{- /* Seconds in which new connections are still served after SIGTERM. No router sends to consumers and relays: they end at once. */ -}}
{{- define "lyceum.drain-seconds" -}}
{{- if has .component (list "consumer" "relay") -}}0{{- else -}}{{ .service.shared.drainSeconds | int64 }}{{- end -}}
{{- end }}

{{- /* Paths of services that teams add, for who leads to them or asks them, and where these are. */ -}}
{{- define "lyceum.routes" -}}
{{- $entries := list -}}
{{- $addresses := dict -}}
{{- if .knowsRoutes -}}
{{- range $path, $to := .shared.routes -}}
{{- if $to -}}
{{- $entries = append $entries (printf "%s=%s" $path $to.service) -}}
{{- $name := printf "%s_URL" (upper $to.service | replace "-" "_") -}}
{{- $url := $to.url | default (printf "http://%s:8080" $to.service) -}}
{{- if ne (get $addresses $name | default $url) $url -}}
{{- fail (printf "global.lyceum.routes: %s is at two addresses, %s and %s" $to.service (get $addresses $name) $url) -}}
{{- end -}}
{{- $_ := set $addresses $name $url -}}
{{- end -}}
{{- end -}}
{{- if $entries -}}
{{- $_ := set $addresses "ROUTES" (join "," $entries) -}}
{{- toYaml $addresses -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- /* The environment of a process: what the chart decides, addresses of the others, settings, and references to the Secret. */ -}}
{{- define "lyceum.environment" -}}
{{- $service := .service -}}
{{- $shared := $service.shared -}}
{{- $heap := div (mul 75 (include "lyceum.mebibytes" .size.resources.memoryLimit | int64)) 100 -}}
{{- $plain := dict
      "DATA_DIR" "/data"
      "DRAIN_MS" (mul 1000 (include "lyceum.drain-seconds" . | int64) | toString)
      "HOST" "0.0.0.0"
      "NODE_ENV" (ternary "production" "development" $shared.production)
      "NODE_OPTIONS" (printf "--max-old-space-size=%d" $heap)
      "OPERATOR_HOST" "0.0.0.0"
      "OPERATOR_PORT" "8081"
      "PORT" "8080" -}}
{{- if not (or $service.isEdge (eq .component "all")) -}}{{- $_ := set $plain "ROLE" .component -}}{{- end -}}
{{- range without $service.values.lib.addressed $service.name -}}
{{- $_ := set $plain (printf "%s_URL" (upper . | replace "-" "_")) (printf "http://%s:8080" .) -}}
{{- end -}}
{{- range $name, $value := include "lyceum.routes" $service | fromYaml -}}{{- $_ := set $plain $name $value -}}{{- end -}}
{{- range $name, $value := include "lyceum.files.settings" $service | fromYaml -}}{{- $_ := set $plain $name $value -}}{{- end -}}
{{- range $settings := list $shared.settings $service.values.settings -}}
{{- range $name, $value := $settings -}}{{- $_ := set $plain $name (include "lyceum.text" $value) -}}{{- end -}}
{{- end -}}
{{- $needed := list "SERVICE_TOKEN" "OPERATOR_TOKEN" "REDIS_URL" -}}
{{- $optional := concat (list "KAFKA_SASL_PASSWORD" "OTEL_EXPORTER_OTLP_HEADERS") $service.secrets -}}
{{- if not $service.isEdge -}}
{{- $needed = concat $needed (list "MONGODB_URL" "KEY_ENCRYPTION_KEY") -}}
{{- $optional = concat $optional (list "KEY_ENCRYPTION_KEY_PREVIOUS" "HISTORY_TOKENS") -}}
{{- end -}}
{{- range $name := keys $plain | sortAlpha }}
- name: {{ $name }}
  value: {{ get $plain $name | quote }}
{{- end }}
{{- range $key := $needed | sortAlpha }}
- name: {{ $key }}
  valueFrom: { secretKeyRef: { name: {{ $shared.secret.name }}, key: {{ $key }} } }
{{- end }}
{{- range $key := $optional | sortAlpha }}
- name: {{ $key }}
  valueFrom: { secretKeyRef: { name: {{ $shared.secret.name }}, key: {{ $key }}, optional: true } }
{{- end }}
{{- end }}
