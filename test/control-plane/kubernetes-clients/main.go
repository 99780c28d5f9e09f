// Runs clients of client-go and controller-runtime as they are for a number of seconds, each with connections of its own.
// The argument is a file with the clients; the output is how long each operation took, in milliseconds, by kind of client.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"net"
	"os"
	"sync"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/log"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type clientPlan struct {
	Kind       string
	Kubeconfig string
	Namespace  string
	// Seconds between operations.
	Period float64
}

type plan struct {
	Seconds float64
	Clients []clientPlan
}

type results struct {
	Milliseconds []float64 `json:"milliseconds"`
	Failed       int       `json:"failed"`
	Error        string    `json:"error,omitempty"`
}

var (
	lock sync.Mutex
	all  = map[string]*results{}
)

func record(kind string, startedAt time.Time, err error) {
	lock.Lock()
	defer lock.Unlock()
	one := all[kind]
	if one == nil {
		one = &results{Milliseconds: []float64{}}
		all[kind] = one
	}
	if err == nil {
		one.Milliseconds = append(one.Milliseconds, float64(time.Since(startedAt).Microseconds())/1000)
	} else {
		one.Failed++
		one.Error = err.Error()
	}
}

// Calls an operation once a period, after a random part of the first one.
func repeat(ctx context.Context, seconds float64, operation func()) {
	period := time.Duration(seconds * float64(time.Second))
	timer := time.NewTimer(time.Duration(rand.Float64() * float64(period)))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		next := time.Now().Add(period)
		operation()
		timer.Reset(max(0, time.Until(next)))
	}
}

// A dialer of its own keeps client-go from sharing the connections of other clients in this process.
func configOf(one clientPlan) (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", one.Kubeconfig)
	if err != nil {
		return nil, err
	}
	config.UserAgent = rest.DefaultKubernetesUserAgent()
	config.Dial = (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	return config, nil
}

// Shared informers of a program that is restarted once a period; an operation is the time until all have synced.
func runInformers(ctx context.Context, one clientPlan) {
	repeat(ctx, one.Period, func() {
		running, stop := context.WithTimeout(ctx, time.Duration(one.Period*0.9*float64(time.Second)))
		defer stop()
		startedAt := time.Now()
		factory, err := startInformers(running, one)
		if ctx.Err() == nil {
			record(one.Kind, startedAt, err)
		}
		if factory != nil {
			<-running.Done()
			factory.Shutdown()
		}
	})
}

func startInformers(ctx context.Context, one clientPlan) (informers.SharedInformerFactory, error) {
	config, err := configOf(one)
	if err != nil {
		return nil, err
	}
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	clientset, err := kubernetes.NewForConfigAndClient(config, http)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, http.CloseIdleConnections)
	factory := informers.NewSharedInformerFactoryWithOptions(clientset, 0, informers.WithNamespace(one.Namespace))
	factory.Core().V1().Pods().Informer()
	factory.Core().V1().Services().Informer()
	factory.Discovery().V1().EndpointSlices().Informer()
	factory.Start(ctx.Done())
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return factory, fmt.Errorf("%v has not synced", kind)
		}
	}
	return factory, nil
}

// A manager with a controller of pods, which also reads them at the API server itself once a period.
func runManager(ctx context.Context, one clientPlan) error {
	kubeconfig, err := configOf(one)
	if err != nil {
		return err
	}
	skip := true
	manager, err := ctrl.NewManager(kubeconfig, ctrl.Options{
		Metrics:    metricsserver.Options{BindAddress: "0"},
		Cache:      cache.Options{DefaultNamespaces: map[string]cache.Config{one.Namespace: {}}},
		Controller: config.Controller{SkipNameValidation: &skip},
	})
	if err != nil {
		return err
	}
	read := func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		var pod corev1.Pod
		return reconcile.Result{}, client.IgnoreNotFound(manager.GetClient().Get(ctx, request.NamespacedName, &pod))
	}
	if err := ctrl.NewControllerManagedBy(manager).For(&corev1.Pod{}).Complete(reconcile.Func(read)); err != nil {
		return err
	}
	go repeat(ctx, one.Period, func() {
		startedAt := time.Now()
		var pods corev1.PodList
		selection := client.MatchingLabels{"app": "app-1"}
		err := manager.GetAPIReader().List(ctx, &pods, client.InNamespace(one.Namespace), selection)
		if ctx.Err() == nil {
			record(one.Kind, startedAt, err)
		}
	})
	return manager.Start(ctx)
}

func run(ctx context.Context, one clientPlan) {
	var err error
	switch one.Kind {
	case "client-go":
		runInformers(ctx, one)
	case "controller-runtime":
		err = runManager(ctx, one)
	default:
		err = fmt.Errorf("unknown kind of client %q", one.Kind)
	}
	if err != nil && ctx.Err() == nil {
		record(one.Kind, time.Now(), err)
	}
}

func main() {
	log.SetLogger(logr.Discard())
	var given plan
	text, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = json.Unmarshal(text, &given)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Duration(given.Seconds*float64(time.Second)))
	defer stop()
	var running sync.WaitGroup
	for _, one := range given.Clients {
		running.Go(func() { run(ctx, one) })
	}
	running.Wait()
	lock.Lock()
	defer lock.Unlock()
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		os.Exit(1)
	}
}
