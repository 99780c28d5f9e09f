/**
 * Three training jobs of one team: PyTorch with a process group of four members, TensorFlow with parameter servers, and
 * JAX with two members. The first and the last become native Jobs. The second one ends when its chief ends, which
 * requires the controller, so it is emitted as a custom resource.
 */
import { Chart } from 'cdk8s';
import { type Construct } from 'constructs';
import { PinterestTrainingJob } from '@pinion-platform/pinion';

const project = 'ranking';

// init_process_group reads RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, which are set in every member.
const pytorchProgram = `import os, torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("nccl")
model = DistributedDataParallel(torch.nn.Linear(128, 1).cuda())
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(10_000):
    features = torch.randn(1024, 128, device="cuda")
    loss = ((model(features) - features.sum(1, keepdim=True)) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 1000 == 0 and dist.get_rank() == 0:
        print(f"step {step} loss {loss.item():.4f}", flush=True)
        torch.save(model.module.state_dict(), os.path.join(os.environ["CHECKPOINT_DIR"], "model.pt"))
dist.destroy_process_group()
`;

// The resolver reads its task from TF_CONFIG, which is set in every member.
const tensorflowProgram = `import os
import tensorflow as tf

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type in ("worker", "ps"):
    tf.distribute.Server(
        resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id, protocol="grpc"
    ).join()

strategy = tf.distribute.ParameterServerStrategy(resolver)
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
with strategy.scope():
    weights = tf.Variable(tf.zeros([64, 1]))

@tf.function
def step():
    features = tf.random.normal([256, 64])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(features @ weights - tf.reduce_sum(features, 1, keepdims=True)))
    weights.assign_sub(0.05 * tape.gradient(loss, weights))

for _ in range(1000):
    coordinator.schedule(step)
coordinator.join()
tf.train.Checkpoint(weights=weights).save(os.path.join(os.environ["CHECKPOINT_DIR"], "weights"))
`;

// initialize reads the address of the coordinator itself; the number of the process and their count are passed to it.
const jaxProgram = `import os
import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec

jax.distributed.initialize(
    num_processes=int(os.environ["NUM_PROCESSES"]),
    process_id=int(os.environ["PROCESS_ID"]),
    cluster_detection_method="deactivate",
)
mesh = Mesh(jax.devices(), "batch")
batch = NamedSharding(mesh, PartitionSpec("batch"))
weights = jax.device_put(jnp.zeros((128, 1)), NamedSharding(mesh, PartitionSpec()))

@jax.jit
def step(weights, features):
    def loss_of(weights):
        return jnp.mean((features @ weights - features.sum(1, keepdims=True)) ** 2)
    loss, gradient = jax.value_and_grad(loss_of)(weights)
    return weights - 0.05 * gradient, loss

key = jax.random.key(jax.process_index())
for number in range(1000):
    key, use = jax.random.split(key)
    features = jax.make_array_from_process_local_data(batch, jax.random.normal(use, (1024, 128)))
    weights, loss = step(weights, features)
    if number % 100 == 0 and jax.process_index() == 0:
        print(f"step {number} loss {loss:.4f}", flush=True)
        jnp.save(os.path.join(os.environ["CHECKPOINT_DIR"], "weights.npy"), weights)
`;

/** Adds a chart with all three jobs. */
export function training(scope: Construct): Chart {
  const chart = new Chart(scope, 'training');
  new PinterestTrainingJob(chart, 'ranker', {
    project,
    framework: 'pytorch',
    roles: { master: {}, worker: { replicas: 3 } },
    accelerators: { count: 1 },
    sharedMemory: '8Gi',
    checkpoint: { claim: { size: '50Gi' } },
    placement: { pool: 'gpu' },
    activeDeadline: '12h',
    config: { files: { '/opt/train/train.py': pytorchProgram } },
    template: {
      spec: {
        securityContext: { runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
        containers: [
          {
            name: 'train',
            image: 'docker.io/pytorch/pytorch:2.7.1-cuda12.6-cudnn9-runtime',
            command: ['python', '/opt/train/train.py'],
            resources: { requests: { cpu: '8', memory: '32Gi' }, limits: { memory: '48Gi' } },
          },
        ],
      },
    },
  });
  new PinterestTrainingJob(chart, 'embeddings', {
    project,
    emit: 'resource',
    framework: 'tensorflow',
    port: 2222,
    roles: { chief: {}, worker: { replicas: 4 }, ps: { replicas: 2, restartPolicy: 'Always' } },
    gang: { timeout: '15m' },
    checkpoint: { claim: { size: '20Gi' }, mountPath: '/models' },
    activeDeadline: '6h',
    config: { files: { '/opt/train/train.py': tensorflowProgram } },
    template: {
      spec: {
        securityContext: { runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
        containers: [
          {
            name: 'train',
            image: 'docker.io/tensorflow/tensorflow:2.15.0',
            command: ['python', '/opt/train/train.py'],
            resources: { requests: { cpu: '4', memory: '8Gi' }, limits: { memory: '12Gi' } },
          },
        ],
      },
    },
  });
  new PinterestTrainingJob(chart, 'encoder', {
    project,
    framework: 'jax',
    roles: { worker: { replicas: 2 } },
    accelerators: { count: 8 },
    successPolicy: 'AllWorkers',
    checkpoint: { claim: { size: '20Gi' } },
    placement: { pool: 'gpu' },
    activeDeadline: '6h',
    config: { files: { '/opt/train/train.py': jaxProgram } },
    template: {
      spec: {
        securityContext: { runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
        containers: [
          {
            name: 'train',
            image: 'nvcr.io/nvidia/jax:25.04-py3',
            command: ['python', '/opt/train/train.py'],
            resources: { requests: { cpu: '8', memory: '64Gi' }, limits: { memory: '96Gi' } },
          },
        ],
      },
    },
  });
  return chart;
}
