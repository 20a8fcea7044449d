{{- /*
Two Services: what routers and other services call, and what only operators call. The second can be given away by
itself, is never exposed with the first, and is reached while the process starts, to see what it waits for.
*/ -}}
{{- define "lyceum.services" -}}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .service.name }}
  labels: {{- include "lyceum.labels" .service | nindent 4 }}
spec:
  type: ClusterIP
  selector: {{- include "lyceum.selector" . | nindent 4 }}
  ports:
    - { name: http, port: 8080, targetPort: http, appProtocol: http }
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .service.name }}-operator
  labels: {{- include "lyceum.labels" .service | nindent 4 }}
spec:
  type: ClusterIP
  publishNotReadyAddresses: true
  selector: {{- include "lyceum.selector" . | nindent 4 }}
  ports:
    - { name: operator, port: 8081, targetPort: operator, appProtocol: http }
{{- end }}
