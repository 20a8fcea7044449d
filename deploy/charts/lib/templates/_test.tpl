{{- /* What helm test runs at every service: it is ready behind its Service. */ -}}
{{- define "lyceum.test.ready" -}}
import { setTimeout as sleep } from 'node:timers/promises';
const { SERVICE } = process.env;
for (let tries = 1; ; tries += 1) {
  const answer = await fetch(`${SERVICE}/readyz`).catch((error) => ({ status: 0, text: async () => String(error.cause ?? error) }));
  const text = await answer.text();
  console.log(`GET ${SERVICE}/readyz: ${answer.status} ${text}`);
  if (answer.status === 200) break;
  if (tries === 30) process.exit(1);
  await sleep(1_000);
}
{{- end }}

{{- /* And at the gateway: a client finds the first school, registers there, and goes again. RFC 8414 §3, RFC 7591 §3, RFC 7592 §2.3 */ -}}
{{- define "lyceum.test.client" -}}
import { request } from 'node:http';
const { BASE_URL } = process.env;
const { host } = new URL(BASE_URL);
const ask = (method, path, { body, token } = {}) =>
  new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const sent = request(SERVICE + path, { method, headers, timeout: 10_000 }, async (answer) => {
      const text = (await answer.toArray()).join('');
      console.log(`${method} ${path} at ${host}: ${answer.statusCode}`);
      resolve({ status: answer.statusCode, text });
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer in 10 s')));
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
const expect = (what, { status, text }, wanted) => {
  if (status === wanted) return text && JSON.parse(text);
  console.error(`${what}: expected ${wanted}, got ${status} ${text}`);
  process.exit(1);
};
const metadata = expect(
  `no school answers at BASE_URL ${BASE_URL}: provision it first`,
  await ask('GET', '/.well-known/oauth-authorization-server'),
  200,
);
const client = { client_name: 'helm test', redirect_uris: ['http://127.0.0.1/callback'], token_endpoint_auth_method: 'none' };
const register = new URL(metadata.registration_endpoint).pathname;
const registered = expect('registration', await ask('POST', register, { body: client }), 201);
const own = new URL(registered.registration_client_uri);
const token = registered.registration_access_token;
expect('removal of the client', await ask('DELETE', own.pathname + own.search, { token }), 204);
{{- end }}

{{- define "lyceum.test" }}
{{- $service := .service }}
---
apiVersion: v1
kind: Pod
metadata:
  name: {{ $service.name }}-test
  labels:
    {{- include "lyceum.labels" $service | nindent 4 }}
    app.kubernetes.io/component: test
  annotations:
    helm.sh/hook: test
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  {{- include "lyceum.pod-basics" $service | nindent 2 }}
  restartPolicy: Never
  activeDeadlineSeconds: 120
  containers:
    - name: test
      image: {{ include "lyceum.image" $service | quote }}
      imagePullPolicy: {{ $service.shared.image.pullPolicy }}
      command: [node, --input-type=module, --eval]
      args:
        - |
          {{- include "lyceum.test.ready" . | nindent 10 }}
          {{- if $service.isEdge }}
          {{- include "lyceum.test.client" . | nindent 10 }}
          {{- end }}
      env:
        - { name: SERVICE, value: "http://{{ $service.name }}:8080" }
        - { name: BASE_URL, value: {{ $service.shared.settings.BASE_URL | quote }} }
      resources:
        requests: { cpu: 50m, memory: 64Mi, ephemeral-storage: 16Mi }
        limits: { memory: 128Mi, ephemeral-storage: 64Mi }
      securityContext: {{- include "lyceum.container-security" . | nindent 8 }}
{{- end }}
