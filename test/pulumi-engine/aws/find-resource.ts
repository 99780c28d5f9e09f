import { type AwsResponse } from './aws-response';
import { type Aws, AwsError } from './aws';

const notFoundPattern = /NotFound|NoSuch|NonExistent|does not exist|not found/i;

/** Returns the response of a request, or undefined if AWS reports that the resource does not exist. */
export const findResource = async (request: Promise<AwsResponse>): Promise<AwsResponse | undefined> =>
  request.catch((error: unknown) => {
    if (error instanceof AwsError && (notFoundPattern.test(error.code) || notFoundPattern.test(error.message)))
      return undefined;
    throw error;
  });

/** Returns the first EC2 description of an ID; undefined if it does not exist. */
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
