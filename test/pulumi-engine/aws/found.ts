import { type Answer } from './answer';
import { type Aws, AwsError } from './aws';

const gone = /NotFound|NoSuch|NonExistent|does not exist|not found/i;

/** What a question answers, or undefined where AWS says that there is no such thing. */
export const found = async (asked: Promise<Answer>): Promise<Answer | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof AwsError && (gone.test(error.code) || gone.test(error.message))) return undefined;
    throw error;
  });

/** The first of what EC2 describes of an id; undefined where it is gone. */
export async function described(
  aws: Aws,
  operation: string,
  parameters: Readonly<Record<string, unknown>>,
  list: string,
): Promise<Answer | undefined> {
  const answer = await found(aws.call('ec2', operation, parameters));
  return answer?.list(list)[0];
}

/** ARN of something of EC2. */
export const arnOf = ({ region, account }: Aws, kind: string, id: string): string =>
  `arn:aws:ec2:${region}:${account}:${kind}/${id}`;
