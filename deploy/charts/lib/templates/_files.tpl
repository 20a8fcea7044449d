{{- /* Where the service keeps files that people send: in a bucket, or in a directory of its only process. */ -}}
{{- define "lyceum.files.are-in-directory" -}}
{{- and .keepsFiles (ne ((.values.files | default dict).in) "bucket") -}}
{{- end }}

{{- define "lyceum.files.check" -}}
{{- $values := .service.values -}}
{{- if eq (include "lyceum.files.are-in-directory" .service) "true" -}}
{{- if not .isTogether -}}{{- fail (printf "%s: roles must be together where files.in is %s: a directory belongs to one process" .service.name $values.files.in) -}}{{- end -}}
{{- if ne ($values.all.replicas | int64) 1 -}}{{- fail (printf "%s: all.replicas must be 1 where files.in is %s: a directory belongs to one process; several need files.in: bucket" .service.name $values.files.in) -}}{{- end -}}
{{- else if and .service.keepsFiles (not $values.files.bucket) -}}
{{- fail (printf "%s: files.bucket must name a bucket where files.in is bucket" .service.name) -}}
{{- end -}}
{{- end }}

{{- define "lyceum.files.settings" -}}
{{- if .keepsFiles -}}
{{- if eq .values.files.in "bucket" -}}
MEDIA_S3_BUCKET: {{ .values.files.bucket | quote }}
{{- else -}}
MEDIA_DIR: /files
{{- end -}}
{{- end -}}
{{- end }}

{{- define "lyceum.files.volume" -}}
{{- $files := .values.files -}}
{{- if eq $files.in "claim" -}}
persistentVolumeClaim: { claimName: {{ $files.claim.existing | default (printf "%s-files" .name) }} }
{{- else -}}
emptyDir: { sizeLimit: {{ $files.claim.size }} }
{{- end -}}
{{- end }}

{{- define "lyceum.files.claim" }}
{{- $service := .service }}
{{- if $service.keepsFiles }}
{{- $files := $service.values.files }}
{{- if and (eq $files.in "claim") (not $files.claim.existing) }}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ $service.name }}-files
  labels: {{- include "lyceum.labels" $service | nindent 4 }}
  annotations:
    # The files of people outlive the release.
    helm.sh/resource-policy: keep
spec:
  accessModes: [ReadWriteOnce]
  {{- with $files.claim.storageClassName }}
  storageClassName: {{ . }}
  {{- end }}
  resources:
    requests: { storage: {{ $files.claim.size }} }
{{- end }}
{{- end }}
{{- end }}
