/** Environment variables of the canary, with descriptions. */
export const canaryVariables = {
  PINION_PROJECT: 'Namespace of its report.',
  CANARY_SANDBOX: 'Project that it deploys to.',
  CANARY_IMAGE: 'Image of its workloads: its own.',
  CANARY_KINDS: 'Comma-separated kinds. Defaults to all.',
  CANARY_DEPLOYMENT_PATHS: 'Comma-separated deployment paths. Defaults to all.',
  CANARY_STEP_TIMEOUT: 'Timeout of a waiting step, such as 2m.',
  CANARY_NAME_SERVER: 'Name servers: pod, or comma-separated addresses. Defaults to none.',
  CANARY_CLUSTER_DOMAIN: 'Cluster domain. Defaults to cluster.local.',
  CANARY_PUSHGATEWAY_URL: 'Pushgateway for its metrics.',
  CANARY_SUBMISSION_URL: 'URL of the submission service. Defaults to none; its deployment path is skipped.',
  CANARY_SUBMISSION_TOKEN_FILE: 'File with the token for the service.',
  CANARY_ARTIFACT_STORE: 'Artifact store that it publishes to: a folder, or s3://BUCKET/PREFIX.',
  CANARY_SIGNING_KEY: 'Private signing key in PEM.',
  CANARY_ISSUER: 'Issuer of its identity, as in the stage of its Project.',
  CANARY_REPOSITORY: 'Repository of its identity, as in the stage of its Project.',
  CANARY_REF: 'Ref of its identity. Defaults to refs/heads/main.',
  CANARY_TARGET: 'Name of the cluster in the submission service.',
} as const;

/** Environment variables of the quota monitor, with descriptions. */
export const quotaMonitorVariables = {
  PINION_PROJECT: 'Namespace of its ConfigMaps.',
  QUOTA_WEBHOOK_URL: 'Webhook that notifies owners.',
  QUOTA_WEBHOOK_TOKEN: 'Bearer token of the webhook.',
  QUOTA_ALERTMANAGER_URL: 'Alertmanager that notifies owners.',
  QUOTA_ALERTMANAGER_TOKEN: 'Bearer token of the Alertmanager.',
  QUOTA_PUSHGATEWAY_URL: 'Pushgateway for its metrics.',
  QUOTA_FILLING_PERCENT: 'Usage in percent at which a quota is filling.',
  QUOTA_NEARLY_FULL_PERCENT: 'Usage in percent at which a quota is nearly full.',
  QUOTA_FILLING_DAYS: 'Forecast days to exhaustion at which a quota is filling.',
  QUOTA_NEARLY_FULL_DAYS: 'Forecast days to exhaustion at which a quota is nearly full.',
} as const;
