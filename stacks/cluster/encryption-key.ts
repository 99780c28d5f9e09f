import { Alias, Key } from '@pulumi/aws/kms';
import { ComponentResource, type ComponentResourceOptions, type Output } from '@pulumi/pulumi';
import { type EncryptionKeyPlan } from '../plan';
import { optionsOf } from './resource-options';

/** KMS key of volumes, parameters and snapshots, with its alias. */
export class EncryptionKey extends ComponentResource {
  readonly id: Output<string>;
  readonly arn: Output<string>;

  constructor(name: string, { key, alias }: EncryptionKeyPlan, options?: ComponentResourceOptions) {
    super('pinion:cluster:EncryptionKey', name, {}, options);
    const created = new Key(key.name, key.args, optionsOf(this, key));
    new Alias(alias.name, { ...alias.args, targetKeyId: created.keyId }, optionsOf(this, alias));
    this.id = created.keyId;
    this.arn = created.arn;
    this.registerOutputs({ keyId: this.id, arn: this.arn });
  }
}
