import { EC2, type Instance as Ec2Instance } from '@aws-sdk/client-ec2';
import { tagKeys } from '../api';
import { type Instance, type InstanceDirectory } from '../operations';
import { type AwsOptions } from './aws-clients';
import { tagOf } from './aws-tag';

/** Timeouts in milliseconds, so that a call without a response does not block a decision. */
const timeouts = { connectionTimeout: 5_000, requestTimeout: 15_000 };

const states = ['pending', 'running'] as const;

/** EC2 instances with the tag of one cluster. */
export class AwsInstances implements InstanceDirectory {
  private readonly ec2: EC2;

  constructor(
    private readonly cluster: string,
    options: AwsOptions,
  ) {
    this.ec2 = new EC2({ ...options, maxAttempts: 3, requestHandler: timeouts });
  }

  async findByName(name: string): Promise<readonly Instance[]> {
    const found: Instance[] = [];
    let next: string | undefined;
    do {
      const page = await this.ec2.describeInstances({
        Filters: [
          { Name: `tag:${tagKeys.cluster}`, Values: [this.cluster] },
          { Name: 'private-dns-name', Values: [name] },
          { Name: 'instance-state-name', Values: [...states] },
        ],
        ...(next !== undefined && { NextToken: next }),
      });
      for (const { Instances: instances = [] } of page.Reservations ?? [])
        // Checked again, because a decision on an identity must not depend on filters alone.
        found.push(...instances.filter(({ Tags }) => tagOf(Tags, tagKeys.cluster) === this.cluster).map(instanceOf));
      next = page.NextToken;
    } while (next !== undefined);
    return found;
  }

  /** Closes the connections. */
  close(): void {
    this.ec2.destroy();
  }
}

function instanceOf(instance: Ec2Instance): Instance {
  const { InstanceId = '', PrivateDnsName = '', State, LaunchTime, NetworkInterfaces = [], Tags } = instance;
  return {
    id: InstanceId,
    name: PrivateDnsName,
    state: states.find((one) => one === State?.Name) ?? 'other',
    part: tagOf(Tags, tagKeys.part) ?? '',
    launchedAt: LaunchTime?.getTime() ?? Number.NaN,
    addresses: NetworkInterfaces.flatMap(({ PrivateIpAddresses = [] }) =>
      PrivateIpAddresses.flatMap(({ PrivateIpAddress }) => PrivateIpAddress ?? []),
    ),
  };
}
