import { type AwsResponse } from './aws-response';
import { type Aws, AwsError } from './aws';

const gone = /NotFound|NoSuch|NonExistent|does not exist|not found/i;

/** Returns the response of a request, or undefined where AWS reports that the resource does not exist. */
export const findResource = async (asked: Promise<AwsResponse>): Promise<AwsResponse | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof AwsError && (gone.test(error.code) || gone.test(error.message))) return undefined;
    throw error;
  });

/** Returns the first description of an id by EC2; undefined where it does not exist. */
export async function describeResource(
  aws: Aws,
  operation: string,
  parameters: Readonly<Record<string, unknown>>,
  list: string,
): Promise<AwsResponse | undefined> {
  const response = await findResource(aws.call('ec2', operation, parameters));
  return response?.list(list)[0];
}

/** Returns the ARN of an EC2 resource. */
export const arnOf = ({ region, account }: Aws, kind: string, id: string): string =>
  `arn:aws:ec2:${region}:${account}:${kind}/${id}`;
