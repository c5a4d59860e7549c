{{- define "palisade.name" -}}
{{- printf "%s-%s" .root.Release.Name .component | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "palisade.selector" -}}
app.kubernetes.io/name: palisade
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "palisade.labels" -}}
{{ include "palisade.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "palisade.image" -}}
{{- $repository := printf "palisade/%s" .image -}}
{{- $registry := .root.Values.image.registry -}}
{{- if $registry }}{{ $registry }}/{{ end }}{{ $repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end -}}

{{/* What every pod of this chart has in common. */}}
{{- define "palisade.pod" -}}
serviceAccountName: {{ include "palisade.name" . }}
automountServiceAccountToken: {{ .token | default false }}
terminationGracePeriodSeconds: 40
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "palisade.container" -}}
image: {{ include "palisade.image" . }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- define "palisade.probes" -}}
startupProbe:
  httpGet: { path: /health/live, port: http }
  periodSeconds: 1
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /health/live, port: http }
  periodSeconds: 10
  timeoutSeconds: 3
readinessProbe:
  httpGet: { path: /health/ready, port: http }
  periodSeconds: 5
  timeoutSeconds: 3
{{- end -}}

{{- define "palisade.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "palisade.selector" . | nindent 8 }}
{{- end -}}

{{/* Secrets of the services come from files: what a process has in its environment, its children see too. */}}
{{- define "palisade.secretEnv" -}}
- name: SVC_STORE_URL_FILE
  value: /run/secrets/palisade/store-url
- name: SVC_ADMIN_TOKEN_FILE
  value: /run/secrets/palisade/admin-token
{{- end -}}

{{- define "palisade.env" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}
