/** Variables that the canary reads, one sentence each. */
export const canaryVariables = {
  PINION_PROJECT: 'Namespace of its report.',
  CANARY_PLAYGROUND: 'Project that it deploys to.',
  CANARY_IMAGE: 'Image of what it deploys: its own.',
  CANARY_KINDS: 'Kinds, with commas between them; all where left out.',
  CANARY_DOORS: 'Doors, with commas between them; all where left out.',
  CANARY_PATIENCE: 'How long a step that waits may take, such as 2m.',
  CANARY_NAME_SERVER: 'Who is asked for names: pod, or addresses with commas between them; nobody where left out.',
  CANARY_CLUSTER_DOMAIN: 'Domain of names within the cluster; cluster.local where left out.',
  CANARY_PUSHGATEWAY_URL: 'Pushgateway that takes its metrics.',
  CANARY_SUBMISSION_URL: 'The submission service; its door is skipped where left out.',
  CANARY_SUBMISSION_TOKEN_FILE: 'File of the token that it asks the service by.',
  CANARY_ARTIFACT_STORE: 'The artifact store that it publishes to: a folder, or s3://BUCKET/PREFIX.',
  CANARY_SIGNING_KEY: 'Private key in PEM by which it signs what it publishes.',
  CANARY_ISSUER: 'Issuer of its identity, as the stage of its Project lists it.',
  CANARY_REPOSITORY: 'Repository of its identity, likewise.',
  CANARY_REF: 'Ref of its identity, likewise; refs/heads/main where left out.',
  CANARY_TARGET: 'Name of the cluster, as the submission service calls it.',
} as const;

/** Variables that the watcher of quotas reads, one sentence each. */
export const watchVariables = {
  PINION_PROJECT: 'Namespace of its own ConfigMaps.',
  QUOTA_WEBHOOK_URL: 'Where owners are told: a webhook.',
  QUOTA_WEBHOOK_TOKEN: 'Bearer token of the webhook.',
  QUOTA_ALERTMANAGER_URL: 'Where owners are told: an Alertmanager.',
  QUOTA_ALERTMANAGER_TOKEN: 'Bearer token of the Alertmanager.',
  QUOTA_PUSHGATEWAY_URL: 'Pushgateway that takes its metrics.',
  QUOTA_FILLING_PERCENT: 'Share of a quota from which it is filling.',
  QUOTA_NEARLY_FULL_PERCENT: 'Share of a quota from which it is nearly full.',
  QUOTA_FILLING_DAYS: 'Days until a quota is full, as it grows, from which it is filling.',
  QUOTA_NEARLY_FULL_DAYS: 'Days until a quota is full, as it grows, from which it is nearly full.',
} as const;
