import { podBehavior } from './pod-behavior';

/** State of a pod that its annotations do not determine. */
export interface PodMoment {
  /** Template expression for readiness. @default - Ready unless an annotation delays it */
  readonly ready?: boolean;
  /** Reason that the main containers exit: on their own, or because the pod is deleted. @default - they run */
  readonly end?: 'exit' | 'delete';
  /** Whether the crashing container restarts once more. @default false */
  readonly crash?: boolean;
}

/**
 * Returns the Go template of a pod's complete status, as a kubelet would report it.
 * It implements the restart policy, native sidecars and the annotations of `podBehavior`, and keeps earlier state.
 */
export const podStatusTemplate = (moment: PodMoment): string =>
  [
    variables(moment),
    containers('initContainers', initState),
    containers('containers', mainState),
    conditionsAndPhase,
  ].join('\n');

const annotation = (name: keyof typeof podBehavior): string => `get $a ${JSON.stringify(podBehavior[name])}`;

const variables = ({ ready, end, crash = false }: PodMoment): string => `
{{ $now := Now }}
{{ $a := default (dict) .metadata.annotations }}
{{ $pull := ${annotation('imagePull')} }}
{{ $crash := ${annotation('crashLoop')} }}
{{ $crashCode := default "1" (${annotation('crashCode')}) }}
{{ $ready := ${ready ?? `(has (${annotation('readyAfter')}) (list "" "0" "0s"))`} }}
{{ $bump := ${crash} }}
{{ $end := "${end ?? ''}" }}
{{ $exitName := default (index .spec.containers 0).name (${annotation('exitContainer')}) }}
{{ $exitCode := ${end === 'delete' ? '"143"' : `default "0" (${annotation('exitCode')})`} }}
{{ $policy := default "Always" .spec.restartPolicy }}
{{ $again := and (eq $end "exit") (or (eq $policy "Always") (and (eq $policy "OnFailure") (ne $exitCode "0"))) }}
{{ $ended := and (ne $end "") (not $again) }}
{{ $old := dict }}
{{ range .status.initContainerStatuses }}{{ $_ := set $old .name . }}{{ end }}
{{ range .status.containerStatuses }}{{ $_ := set $old .name . }}{{ end }}
{{ $blocked := false }}
{{ $unready := list }}`;

/** Renders one list of statuses; `state` sets $state, $isReady, $isStarted, $count and $last of the container. */
const containers = (list: 'initContainers' | 'containers', state: string): string => `
${list === 'containers' ? 'containerStatuses' : 'initContainerStatuses'}:
{{ range .spec.${list} }}
{{ $was := default (dict) (get $old .name) }}
{{ $count := int64 (toString (default 0 $was.restartCount)) }}
{{ $last := default (dict) $was.lastState }}
{{ $since := dig "state" "running" "startedAt" $now $was }}
{{ $running := dict "running" (dict "startedAt" $since) }}
{{ $state := $running }}
{{ $isReady := false }}
{{ $isStarted := false }}
{{ if eq .name $pull }}
  {{ $state = dict "waiting" (dict "reason" "ImagePullBackOff" "message" (printf "Back-off pulling image %q" .image)) }}
{{ else if and (eq .name $crash) (not $blocked) }}
  {{ $ending := dict "exitCode" (int $crashCode) "reason" "Error" "startedAt" $since "finishedAt" $now }}
  {{ if or $bump (not $last.terminated) }}
    {{ $last = dict "terminated" $ending }}{{ $count = add1 $count }}
  {{ end }}
  {{ $why := printf "back-off 10s restarting failed container=%s pod=%s" .name $.metadata.name }}
  {{ $state = dict "waiting" (dict "reason" "CrashLoopBackOff" "message" $why) }}
${state}
{{ end }}
{{ if not $isReady }}{{ $unready = append $unready .name }}{{ end }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: {{ if has (toString (default "" (dig "waiting" "reason" "" $state))) (list "ImagePullBackOff" "PodInitializing") }}""{{ else }}{{ printf "sha256:%s" (sha256sum .image) | Quote }}{{ end }}
  ready: {{ $isReady }}
  started: {{ $isStarted }}
  restartCount: {{ $count }}
  state: {{ $state | toJson }}
  lastState: {{ $last | toJson }}
{{ if and (eq "${list}" "initContainers") (ne (default "" .restartPolicy) "Always") (eq .name $crash) }}{{ $blocked = true }}{{ end }}
{{ if and (eq "${list}" "initContainers") (eq .name $pull) }}{{ $blocked = true }}{{ end }}
{{ end }}`;

const initState = `
{{ else if $blocked }}
  {{ $state = dict "waiting" (dict "reason" "PodInitializing") }}
{{ else if eq (default "" .restartPolicy) "Always" }}
  {{ if $ended }}
    {{ $state = dict "terminated" (dict "exitCode" 0 "reason" "Completed" "startedAt" $since "finishedAt" $now) }}
  {{ else }}
    {{ $isReady = true }}{{ $isStarted = true }}
  {{ end }}
{{ else }}
  {{ $isReady = true }}
  {{ $state = dict "terminated" (dict "exitCode" 0 "reason" "Completed" "startedAt" $since "finishedAt" $since) }}
  {{ if dig "state" "terminated" false $was }}{{ $state = $was.state }}{{ end }}`;

const mainState = `
{{ else if $blocked }}
  {{ $state = dict "waiting" (dict "reason" "PodInitializing") }}
{{ else if and (ne $end "") (or $ended (eq .name $exitName)) }}
  {{ $code := 0 }}{{ if eq .name $exitName }}{{ $code = int $exitCode }}{{ end }}
  {{ $reason := "Completed" }}{{ if ne $code 0 }}{{ $reason = "Error" }}{{ end }}
  {{ $ending := dict "terminated" (dict "exitCode" $code "reason" $reason "startedAt" $since "finishedAt" $now) }}
  {{ if $ended }}
    {{ $state = $ending }}
  {{ else }}
    {{ $count = add1 $count }}{{ $last = $ending }}
    {{ $state = dict "running" (dict "startedAt" $now) }}{{ $isReady = $ready }}{{ $isStarted = true }}
  {{ end }}
{{ else }}
  {{ $isReady = $ready }}{{ $isStarted = true }}`;

const conditionsAndPhase = `
{{ $all := and (not $ended) (not $unready) }}
{{ $reason := "ContainersNotReady" }}{{ if $ended }}{{ $reason = "PodCompleted" }}{{ end }}
{{ $why := "" }}{{ if not $ended }}{{ $why = printf "containers with unready status: %v" $unready }}{{ end }}
conditions:
- {type: PodReadyToStartContainers, status: "True", lastTransitionTime: {{ $now | Quote }}}
- {type: Initialized, status: "{{ if $blocked }}False{{ else }}True{{ end }}", lastTransitionTime: {{ $now | Quote }}}
{{ range $type := list "ContainersReady" "Ready" }}
- type: {{ $type }}
  status: "{{ if $all }}True{{ else }}False{{ end }}"
  reason: {{ if $all }}null{{ else }}{{ $reason }}{{ end }}
  message: {{ if $all }}null{{ else }}{{ $why | Quote }}{{ end }}
  lastTransitionTime: {{ $now | Quote }}
{{ end }}
{{ range .spec.readinessGates }}
- {type: {{ .conditionType | Quote }}, status: "True", lastTransitionTime: {{ $now | Quote }}}
{{ end }}
phase: {{ if $ended }}{{ if eq $exitCode "0" }}Succeeded{{ else }}Failed{{ end }}{{ else if or $blocked $pull }}Pending{{ else }}Running{{ end }}
hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
{{ if .status.podIP }}
podIP: {{ .status.podIP | Quote }}
{{ else }}
{{ $ip := PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) | Quote }}
podIP: {{ $ip }}
podIPs: [{ip: {{ $ip }}}]
{{ end }}
startTime: {{ or .status.startTime $now | Quote }}
observedGeneration: {{ default 1 .metadata.generation }}`;
