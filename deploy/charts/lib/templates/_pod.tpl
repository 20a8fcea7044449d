{{- /* Pod Security "restricted": https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted */ -}}
{{- define "lyceum.pod-security" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "lyceum.container-security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
{{- end }}

{{- /* What pods of workloads and of tests have in common. */ -}}
{{- define "lyceum.pod-basics" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .shared.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
securityContext: {{- include "lyceum.pod-security" . | nindent 2 }}
{{- end }}

{{- /*
A process may take this long after SIGTERM: it drains, lets requests in flight finish (7 s at most), closes, and has
10 s to spare. It drains by itself, so there is no preStop.
*/ -}}
{{- define "lyceum.grace-seconds" -}}
{{- add (include "lyceum.drain-seconds" . | int64) 7 10 -}}
{{- end }}

{{- define "lyceum.pod" -}}
{{- $service := .service -}}
{{- $shared := $service.shared -}}
metadata:
  labels:
    {{- include "lyceum.selector" . | nindent 4 }}
    app.kubernetes.io/part-of: lyceum
  annotations:
    lyceum/secret-revision: {{ $shared.secret.revision | int64 | quote }}
    {{- with $service.values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  {{- include "lyceum.pod-basics" $service | nindent 2 }}
  terminationGracePeriodSeconds: {{ include "lyceum.grace-seconds" . }}
  topologySpreadConstraints:
    {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
    - maxSkew: 1
      topologyKey: {{ . }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- include "lyceum.selector" $ | nindent 10 }}
      matchLabelKeys: [pod-template-hash]
    {{- end }}
  containers:
    - name: app
      image: {{ include "lyceum.image" $service | quote }}
      imagePullPolicy: {{ $shared.image.pullPolicy }}
      env: {{- include "lyceum.environment" . | nindent 8 }}
      ports:
        - { name: http, containerPort: 8080 }
        - { name: operator, containerPort: 8081 }
      # Engines that are away are waited for: a process that waits is alive, and not ready.
      startupProbe:
        httpGet: { path: /livez, port: http }
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 150
      livenessProbe:
        httpGet: { path: /livez, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 3
        timeoutSeconds: 3
        failureThreshold: 2
      resources:
        requests:
          cpu: {{ .size.resources.cpu }}
          memory: {{ .size.resources.memory }}
          ephemeral-storage: 64Mi
        limits:
          memory: {{ .size.resources.memoryLimit }}
          ephemeral-storage: 1Gi
      securityContext: {{- include "lyceum.container-security" . | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        - { name: data, mountPath: /data }
        {{- if eq (include "lyceum.files.are-in-directory" $service) "true" }}
        - { name: files, mountPath: /files }
        {{- end }}
        {{- if $shared.authorities.configMap }}
        - { name: authorities, mountPath: /etc/lyceum/authorities, readOnly: true }
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: { sizeLimit: 128Mi }
    - name: data
      emptyDir: { sizeLimit: 256Mi }
    {{- if eq (include "lyceum.files.are-in-directory" $service) "true" }}
    - name: files
      {{- include "lyceum.files.volume" $service | nindent 6 }}
    {{- end }}
    {{- with $shared.authorities.configMap }}
    - name: authorities
      configMap: { name: {{ . }} }
    {{- end }}
{{- end }}
