"""The public names of PaddlePaddle 3.3.1.

Recorded by tests/conformance/record_paddle_names.py, never edited. For each module its classes,
functions, modules and other values.
"""

NAMES = {
    "paddle": {
        "classes": """
BFloat16Tensor BoolTensor ByteTensor CPUPlace CUDAPinnedPlace CUDAPlace CharTensor CustomPlace
DataParallel DoubleTensor Event FloatTensor Generator HalfTensor IPUPlace IntTensor IrGuard
LazyGuard LongTensor MmapStorage Model ParamAttr ShortTensor Size Stream Tensor XPUPinnedPlace
XPUPlace device_guard dtype enable_grad no_grad set_grad_enabled
""",
        "functions": """
abs abs_ acos acos_ acosh acosh_ adaptive_avg_pool1d add add_n addmm addmm_ all allclose amax amin
angle any arange argmax argmin argsort argwhere as_complex as_real as_strided as_tensor asarray
asin asin_ asinh asinh_ assign async_save atan atan2 atan_ atanh atanh_ atleast_1d atleast_2d
atleast_3d autocast baddbmm baddbmm_ bartlett_window batch bernoulli bernoulli_ bincount binomial
bitwise_and bitwise_and_ bitwise_invert bitwise_invert_ bitwise_left_shift bitwise_left_shift_
bitwise_not bitwise_not_ bitwise_or bitwise_or_ bitwise_right_shift bitwise_right_shift_
bitwise_xor bitwise_xor_ blackman_window block_diag bmm broadcast_shape broadcast_shapes
broadcast_tensors broadcast_to bucketize cartesian_prod cast cast_ cat cauchy_ cdist ceil
check_shape cholesky chunk clamp clear_async_save_task_queue clip clone column_stack combinations
complex concat concatenate conj conv1d conv2d conv3d copysign copysign_ cos cos_ cosh cosh_
count_nonzero create_parameter crop cross cummax cummin cumprod cumprod_ cumsum cumsum_
cumulative_trapezoid deg2rad diag diag_embed diagflat diagonal diagonal_scatter diff digamma
digamma_ disable_compat disable_signal_handler disable_static dist div div_ divide divide_ dot
dsplit dstack eigvalsh einsum empty empty_like enable_compat enable_static eq equal equal_
equal_all erf erf_ erfinv exp expand expand_as expm1 expm1_ eye finfo flatten flatten_ flip floor
floor_divide floor_divide_ floor_mod floor_mod_ flops fmax fmin frac frac_ frexp from_dlpack
from_numpy full full_like gammainc gammainc_ gammaincc gammaincc_ gammaln gammaln_ gather
gather_nd gcd gcd_ ge geometric_ ger get_autocast_cpu_dtype get_autocast_dtype
get_autocast_gpu_dtype get_cuda_rng_state get_cudnn_version get_default_device get_default_dtype
get_device get_device_module get_flags get_rng_state grad greater greater_equal greater_equal_
greater_than greater_than_ group_norm gt hamming_window hann_window heaviside histogram
histogram_bin_edges histogramdd hsplit hstack hypot hypot_ i0 i0_ i0e i1 i1e iinfo imag
in_dynamic_mode increment index_add index_add_ index_fill index_fill_ index_put index_put_
index_sample index_select inner inverse is_autocast_enabled is_compiled_with_cinn
is_compiled_with_cuda is_compiled_with_custom_device is_compiled_with_distribute
is_compiled_with_ipu is_compiled_with_rocm is_compiled_with_xpu is_complex is_empty
is_floating_point is_grad_enabled is_integer is_tensor isclose isfinite isin isinf isnan isneginf
isposinf isreal kaiser_window kron kthvalue layer_norm lcm lcm_ ldexp ldexp_ le lerp less less_
less_equal less_equal_ less_than less_than_ lgamma lgamma_ linspace load log log10 log10_ log1p
log1p_ log2 log2_ log_ log_normal log_normal_ logaddexp logcumsumexp logical_and logical_and_
logical_not logical_not_ logical_or logical_or_ logical_xor logical_xor_ logit logit_ logspace
logsumexp lt manual_seed masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select
matmul matrix_transpose max maximum mean median meshgrid min minimum mm mod mod_ mode moveaxis
msort mul multigammaln multigammaln_ multinomial multiplex multiply multiply_ mv nan_to_num
nan_to_num_ nanmean nanmedian nanquantile nansum narrow ne neg neg_ negative new_init nextafter
nonzero norm normal normal_ not_equal not_equal_ numel ones ones_like outer pdist permute poisson
polar polygamma polygamma_ positive pow pow_ prod put_along_axis quantile rad2deg rand rand_like
randint randint_like randn randn_like randperm range rank ravel real reciprocal reduce_as
remainder remainder_ renorm renorm_ repeat_interleave reshape reshape_ reverse roll rot90 round
row_stack rsqrt save scale scatter scatter_ scatter_add scatter_add_ scatter_nd scatter_nd_add
scatter_reduce searchsorted seed select_scatter set_cuda_rng_state set_default_device
set_default_dtype set_device set_flags set_printoptions set_rng_state sgn shape shard_index
sigmoid sign signbit sin sin_ sinc sinc_ sinh sinh_ slice slice_scatter softmax sort split sqrt
square square_ squeeze squeeze_ stack standard_gamma standard_normal stanh std strided_slice sub
sub_ subtract subtract_ sum summary swapaxes swapdims t t_ take take_along_axis take_along_dim tan
tan_ tanh tanh_ tensor tensor_split tensordot tile to_dlpack to_tensor tolist topk trace transpose
transpose_ trapezoid tril tril_ tril_indices triu triu_ triu_indices true_divide trunc trunc_
unbind unflatten unfold uniform unique unique_consecutive unsqueeze unsqueeze_ unstack
use_compat_guard vander var vecdot view view_as view_as_complex view_as_real vsplit vstack where
where_ zeros zeros_like
""",
        "modules": """
amp api_tracer audio autograd base batch callbacks check_import_scipy cinn_config classes
common_ops_import compat cost_model cuda cuda_env dataset decomposition device distributed
distribution fft framework functional geometric hapi hub incubate inference io jit library linalg
metric nn onnx ops optimizer pir pir_utils profiler quantization random reader regularizer signal
sparse special static sysconfig tensor text utils version vision
""",
        "values": """
bfloat16 bool cdouble cfloat complex128 complex64 double e float float16 float32 float64
float8_e4m3fn float8_e5m2 half inf int int16 int32 int64 int8 ir_guard long nan newaxis pi pstring
raw short uint16 uint32 uint64 uint8
""",
    },
    "paddle.Tensor": {
        "functions": """
abs abs_ acos acos_ acosh acosh_ add add_ add_n addmm addmm_ all allclose amax amin angle any
apply apply_ argmax argmin argsort argwhere as_complex as_real as_strided asin asin_ asinh asinh_
astype atan atan2 atan_ atanh atanh_ atleast_1d atleast_2d atleast_3d backward baddbmm baddbmm_
bernoulli_ bfloat16 bincount bitwise_and bitwise_and_ bitwise_invert bitwise_invert_
bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_ bitwise_or bitwise_or_
bitwise_right_shift bitwise_right_shift_ bitwise_xor bitwise_xor_ block_diag bmm bool
broadcast_shape broadcast_shapes broadcast_tensors broadcast_to bucketize byte cast cast_ cauchy_
cdist cdouble ceil ceil_ cfloat char cholesky cholesky_inverse cholesky_solve chunk clamp clamp_
clear_grad clear_gradient clip clip_ clone coalesce cols combinations complex128 complex64 concat
cond conj contiguous copy_ copysign copysign_ corrcoef cos cos_ cosh cosh_ count_nonzero cov cpu
create_parameter create_tensor cross crows cuda cummax cummin cumprod cumprod_ cumsum cumsum_
cumulative_trapezoid data_ptr deg2rad dense_dim detach detach_ diag diag_embed diagflat diagonal
diagonal_scatter diff digamma digamma_ dim dist div div_ divide divide_ dot double dsplit eig
eigvals eigvalsh element_size eq equal equal_ equal_all erf erfinv erfinv_ exp exp_ expand
expand_as expm1 exponential_ fill_ fill_diagonal_ fill_diagonal_tensor fill_diagonal_tensor_
flatten flatten_ flip float float16 float32 float64 floor floor_ floor_divide floor_divide_
floor_mod floor_mod_ fmax fmin frac frac_ frexp gammainc gammainc_ gammaincc gammaincc_ gammaln
gammaln_ gather gather_nd gcd gcd_ ge geometric_ get_device get_map_tensor get_selected_rows
get_strides get_tensor gradient greater greater_equal greater_equal_ greater_than greater_than_ gt
half heaviside histogram histogram_bin_edges histogramdd householder_product hsplit hypot hypot_
i0 i0_ i0e i1 i1e imag increment index_add index_add_ index_fill index_fill_ index_put index_put_
index_sample index_select indices inner int int16 int32 int64 int8 inverse is_coalesced is_complex
is_contiguous is_dense is_dist is_empty is_floating_point is_integer is_same_shape
is_selected_rows is_sparse is_sparse_coo is_sparse_csr is_tensor isclose isfinite isin isinf isnan
isneginf isposinf isreal istft item kron kthvalue lcm lcm_ ldexp ldexp_ le lerp lerp_ less less_
less_equal less_equal_ less_than less_than_ lgamma lgamma_ log log10 log10_ log1p log1p_ log2
log2_ log_ log_normal_ logaddexp logcumsumexp logical_and logical_and_ logical_not logical_not_
logical_or logical_or_ logical_xor logical_xor_ logit logit_ logsumexp long lstsq lt lu lu_unpack
masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select matmul matrix_power
matrix_transpose max maximum mean median min minimum mm mod mod_ mode moveaxis msort mul mul_
multi_dot multigammaln multigammaln_ multinomial multiplex multiply multiply_ mv nan_to_num
nan_to_num_ nanmean nanmedian nanquantile nansum narrow ndimension ne neg neg_ negative new_empty
new_full new_ones new_zeros nextafter nnz nonzero norm normal_ not_equal not_equal_ numel numpy
ormqr outer pca_lowrank permute pin_memory pinv polar polygamma polygamma_ pow pow_ prod
put_along_axis put_along_axis_ qr quantile rad2deg random_ rank ravel real reciprocal reciprocal_
reconstruct_from_ reduce_as register_hook remainder remainder_ renorm renorm_ repeat
repeat_interleave requires_grad_ reshape reshape_ resize_ retain_grads reverse roll rot90 round
round_ rows rsqrt rsqrt_ scale scale_ scatter scatter_ scatter_add scatter_add_ scatter_nd
scatter_nd_add scatter_reduce select_scatter set_ set_string_list set_tensor set_value set_vocab
sgn shard_index short sigmoid sigmoid_ sign signbit sin sin_ sinc sinc_ sinh sinh_ slice
slice_scatter slogdet softmax solve sort sparse_dim split split_with_sizes sqrt sqrt_ square
square_ squeeze squeeze_ stack stanh std stft stride strided_slice sub sub_ subtract subtract_ sum
svd_lowrank swapaxes swapdims t t_ take take_along_axis take_along_dim tan tan_ tanh tanh_
tensor_split tensordot tile to to_dense to_sparse_coo to_sparse_csr tolist top_p_sampling topk
trace transpose transpose_ trapezoid tril tril_ triu triu_ true_divide trunc trunc_ type_as uint8
unbind unflatten unfold uniform_ unique unique_consecutive unsqueeze unsqueeze_ unstack value
values vander var view view_as view_as_complex view_as_real vsplit where where_ zero_
""",
        "values": """
T block data device dtype grad grad_ grad_fn inplace_version is_cuda is_leaf itemsize layout mT
name ndim num_shard offset persistable place placements process_mesh requires_grad shape size
stop_gradient strides type
""",
    },
    "paddle.nn": {
        "classes": """
AdaptiveAvgPool1D AdaptiveAvgPool1d AdaptiveAvgPool2D AdaptiveAvgPool2d AdaptiveAvgPool3D
AdaptiveAvgPool3d AdaptiveLogSoftmaxWithLoss AdaptiveMaxPool1D AdaptiveMaxPool1d AdaptiveMaxPool2D
AdaptiveMaxPool2d AdaptiveMaxPool3D AdaptiveMaxPool3d AlphaDropout AvgPool1D AvgPool2D AvgPool3D
BCELoss BCEWithLogitsLoss BatchNorm BatchNorm1D BatchNorm2D BatchNorm3D BeamSearchDecoder BiRNN
Bilinear CELU CTCLoss ChannelShuffle CircularPad1D CircularPad1d CircularPad2D CircularPad2d
CircularPad3D CircularPad3d ClipGradByGlobalNorm ClipGradByNorm ClipGradByValue ConstantPad1D
ConstantPad1d ConstantPad2D ConstantPad2d ConstantPad3D ConstantPad3d Conv1D Conv1DTranspose
Conv1d Conv2D Conv2DTranspose Conv2d Conv3D Conv3DTranspose Conv3d CosineEmbeddingLoss
CosineSimilarity CrossEntropyLoss Dropout Dropout2D Dropout3D ELU Embedding FeatureAlphaDropout
Flatten Fold FractionalMaxPool2D FractionalMaxPool3D GELU GLU GRU GRUCell GaussianNLLLoss
GroupNorm HSigmoidLoss Hardshrink Hardsigmoid Hardswish Hardtanh HingeEmbeddingLoss HuberLoss
Identity InstanceNorm1D InstanceNorm2D InstanceNorm3D KLDivLoss L1Loss LPPool1D LPPool1d LPPool2D
LPPool2d LSTM LSTMCell Layer LayerDict LayerList LayerNorm LeakyReLU Linear LocalResponseNorm
LogSigmoid LogSoftmax MSELoss MarginRankingLoss MaxPool1D MaxPool2D MaxPool3D MaxUnPool1D
MaxUnPool2D MaxUnPool3D MaxUnpool1d MaxUnpool2d MaxUnpool3d Maxout Mish Module ModuleDict
ModuleList MultiHeadAttention MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss
NLLLoss PReLU Pad1D Pad2D Pad3D PairwiseDistance Parameter ParameterDict ParameterList
PixelShuffle PixelUnshuffle PoissonNLLLoss RNN RNNCellBase RNNTLoss RReLU ReLU ReLU6
ReflectionPad1D ReflectionPad1d ReflectionPad2D ReflectionPad2d ReflectionPad3D ReflectionPad3d
ReplicationPad1D ReplicationPad1d ReplicationPad2D ReplicationPad2d ReplicationPad3D
ReplicationPad3d SELU Sequential SiLU Sigmoid Silu SimpleRNN SimpleRNNCell SmoothL1Loss
SoftMarginLoss Softmax Softmax2D Softplus Softshrink Softsign SpectralNorm Swish SyncBatchNorm
Tanh Tanhshrink ThresholdedReLU Transformer TransformerDecoder TransformerDecoderLayer
TransformerEncoder TransformerEncoderLayer TripletMarginLoss TripletMarginWithDistanceLoss
Unflatten Unfold Upsample UpsamplingBilinear2D UpsamplingBilinear2d UpsamplingNearest2D
UpsamplingNearest2d ZeroPad1D ZeroPad1d ZeroPad2D ZeroPad2d ZeroPad3D ZeroPad3d
""",
        "functions": """
dynamic_decode spectral_norm
""",
        "modules": """
attention clip decode functional init initializer layer modules parameter quant utils
""",
    },
    "paddle.nn.functional": {
        "functions": """
adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_log_softmax_with_loss
adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d affine_grid alpha_dropout avg_pool1d
avg_pool2d avg_pool3d batch_norm bilinear binary_cross_entropy binary_cross_entropy_with_logits
celu channel_shuffle class_center_sample conv1d conv1d_transpose conv2d conv2d_transpose conv3d
conv3d_transpose cosine_embedding_loss cosine_similarity cross_entropy ctc_loss diag_embed
dice_loss dropout dropout1d dropout2d dropout3d elu elu_ embedding embedding_renorm_
feature_alpha_dropout flash_attention_v3_varlen flash_attn_qkvpacked flash_attn_varlen_qkvpacked
flashmask_attention fold fractional_max_pool2d fractional_max_pool3d gather_tree gaussian_nll_loss
gelu glu grid_sample group_norm gumbel_softmax hardshrink hardsigmoid hardswish hardtanh hardtanh_
hinge_embedding_loss hsigmoid_loss instance_norm interpolate kl_div l1_loss label_smooth
layer_norm leaky_relu leaky_relu_ linear local_response_norm log_loss log_sigmoid log_softmax
logsigmoid lp_pool1d lp_pool2d margin_cross_entropy margin_ranking_loss max_pool1d max_pool2d
max_pool3d max_unpool1d max_unpool2d max_unpool3d maxout mish moe_permute moe_unpermute mse_loss
multi_label_margin_loss multi_label_soft_margin_loss multi_margin_loss nll_loss normalize
npair_loss one_hot pad pairwise_distance pdist pixel_shuffle pixel_unshuffle poisson_nll_loss
prelu relu relu6 relu_ rms_norm rnnt_loss rrelu scaled_dot_product_attention sdp_kernel selu
sequence_mask sigmoid sigmoid_focal_loss silu smooth_l1_loss soft_margin_loss softmax softmax_
softmax_with_cross_entropy softplus softshrink softsign sparse_attention square_error_cost swiglu
swish tanh tanh_ tanhshrink temporal_shift thresholded_relu thresholded_relu_ triplet_margin_loss
triplet_margin_with_distance_loss unfold upsample zeropad2d
""",
        "modules": """
activation common conv distance extension flash_attention input loss moe_permute moe_unpermute
norm pooling sdpa sparse_attention transformer vision
""",
    },
    "paddle.nn.initializer": {
        "classes": """
Assign Bilinear Constant Dirac KaimingNormal KaimingUniform Normal Orthogonal TruncatedNormal
Uniform XavierNormal XavierUniform
""",
        "functions": """
calculate_gain set_global_initializer
""",
        "modules": """
assign bilinear constant dirac initializer kaiming lazy_init normal orthogonal uniform xavier
""",
    },
    "paddle.nn.utils": {
        "functions": """
clip_grad_norm_ clip_grad_value_ parameters_to_vector remove_weight_norm spectral_norm
vector_to_parameters weight_norm
""",
        "modules": """
clip_grad_norm_ clip_grad_value_ dygraph_utils spectral_norm_hook transform_parameters
weight_norm_hook
""",
    },
    "paddle.optimizer": {
        "classes": """
ASGD Adadelta Adagrad Adam AdamW Adamax LBFGS Lamb Momentum NAdam Optimizer RAdam RMSProp Rprop
SGD
""",
        "modules": """
adadelta adagrad adam adamax adamw asgd fusion_utils lamb lbfgs lr momentum nadam optimizer radam
rmsprop rprop sgd
""",
    },
    "paddle.optimizer.lr": {
        "classes": """
CosineAnnealingDecay CosineAnnealingWarmRestarts CyclicLR ExponentialDecay InverseTimeDecay
LRScheduler LambdaDecay LinearLR LinearWarmup MultiStepDecay MultiplicativeDecay NaturalExpDecay
NoamDecay OneCycleLR PiecewiseDecay PolynomialDecay ReduceOnPlateau StepDecay
""",
    },
    "paddle.io": {
        "classes": """
BatchSampler ChainDataset ComposeDataset ConcatDataset DataLoader Dataset DistributedBatchSampler
IterableDataset RandomSampler Sampler SequenceSampler Subset SubsetRandomSampler TensorDataset
WeightedRandomSampler
""",
        "functions": """
get_worker_info random_split
""",
        "modules": """
dataloader multiprocess_utils reader
""",
    },
    "paddle.vision": {
        "classes": """
AlexNet BaseTransform BrightnessTransform CenterCrop Cifar10 Cifar100 ColorJitter Compose
ContrastTransform DatasetFolder DenseNet FashionMNIST Flowers GoogLeNet Grayscale HueTransform
ImageFolder InceptionV3 LeNet MNIST MobileNetV1 MobileNetV2 MobileNetV3Large MobileNetV3Small
Normalize Pad RandomCrop RandomHorizontalFlip RandomResizedCrop RandomRotation RandomVerticalFlip
ResNet Resize SaturationTransform ShuffleNetV2 SqueezeNet ToTensor Transpose VGG VOC2012
""",
        "functions": """
adjust_brightness adjust_contrast adjust_hue alexnet center_crop crop densenet121 densenet161
densenet169 densenet201 densenet264 get_image_backend googlenet hflip image_load inception_v3
mobilenet_v1 mobilenet_v2 mobilenet_v3_large mobilenet_v3_small normalize pad resize resnet101
resnet152 resnet18 resnet34 resnet50 resnext101_32x4d resnext101_64x4d resnext152_32x4d
resnext152_64x4d resnext50_32x4d resnext50_64x4d rotate set_image_backend shufflenet_v2_swish
shufflenet_v2_x0_25 shufflenet_v2_x0_33 shufflenet_v2_x0_5 shufflenet_v2_x1_0 shufflenet_v2_x1_5
shufflenet_v2_x2_0 squeezenet1_0 squeezenet1_1 to_grayscale to_tensor vflip vgg11 vgg13 vgg16
vgg19 wide_resnet101_2 wide_resnet50_2
""",
        "modules": """
datasets image models ops transforms
""",
    },
    "paddle.vision.datasets": {
        "classes": """
Cifar10 Cifar100 DatasetFolder FashionMNIST Flowers ImageFolder MNIST VOC2012
""",
        "modules": """
cifar flowers folder mnist voc2012
""",
    },
    "paddle.vision.models": {
        "classes": """
AlexNet DenseNet GoogLeNet InceptionV3 LeNet MobileNetV1 MobileNetV2 MobileNetV3Large
MobileNetV3Small ResNet ShuffleNetV2 SqueezeNet VGG
""",
        "functions": """
alexnet densenet121 densenet161 densenet169 densenet201 densenet264 googlenet inception_v3
mobilenet_v1 mobilenet_v2 mobilenet_v3_large mobilenet_v3_small resnet101 resnet152 resnet18
resnet34 resnet50 resnext101_32x4d resnext101_64x4d resnext152_32x4d resnext152_64x4d
resnext50_32x4d resnext50_64x4d shufflenet_v2_swish shufflenet_v2_x0_25 shufflenet_v2_x0_33
shufflenet_v2_x0_5 shufflenet_v2_x1_0 shufflenet_v2_x1_5 shufflenet_v2_x2_0 squeezenet1_0
squeezenet1_1 vgg11 vgg13 vgg16 vgg19 wide_resnet101_2 wide_resnet50_2
""",
        "modules": """
alexnet densenet googlenet inceptionv3 lenet mobilenetv1 mobilenetv2 mobilenetv3 resnet
shufflenetv2 squeezenet vgg
""",
    },
    "paddle.vision.ops": {
        "classes": """
DeformConv2D PSRoIPool RoIAlign RoIPool
""",
        "functions": """
box_coder decode_jpeg deform_conv2d distribute_fpn_proposals generate_proposals matrix_nms nms
prior_box psroi_pool read_file roi_align roi_pool yolo_box yolo_loss
""",
    },
    "paddle.vision.transforms": {
        "classes": """
BaseTransform BrightnessTransform CenterCrop ColorJitter Compose ContrastTransform Grayscale
HueTransform Normalize Pad RandomAffine RandomCrop RandomErasing RandomHorizontalFlip
RandomPerspective RandomResizedCrop RandomRotation RandomVerticalFlip Resize SaturationTransform
ToTensor Transpose
""",
        "functions": """
adjust_brightness adjust_contrast adjust_hue affine center_crop crop erase hflip normalize pad
perspective resize rotate to_grayscale to_tensor vflip
""",
        "modules": """
functional functional_cv2 functional_pil functional_tensor transforms
""",
    },
    "paddle.vision.transforms.functional": {
        "functions": """
adjust_brightness adjust_contrast adjust_hue adjust_saturation affine center_crop crop erase hflip
normalize pad perspective resize rotate to_grayscale to_tensor vflip
""",
    },
    "paddle.autograd": {
        "classes": """
Function PyLayer PyLayerContext enable_grad no_grad saved_tensors_hooks set_grad_enabled
""",
        "functions": """
backward grad hessian is_grad_enabled jacobian
""",
        "modules": """
autograd backward_mode backward_utils ir_backward py_layer saved_tensors_hooks
""",
    },
    "paddle.device": {
        "classes": """
BFloat16Tensor BoolTensor ByteTensor CharTensor Device DoubleTensor Event FloatTensor HalfTensor
IntTensor LongTensor ShortTensor Stream StreamContext amp device device_guard nvtx stream_guard
""",
        "functions": """
IPUPlace XPUPlace current_device current_stream device_count device_to_place
get_all_custom_device_type get_all_device_type get_available_custom_device get_available_device
get_cudnn_version get_default_device get_device get_device_capability get_device_module
get_device_name get_device_properties get_rng_state get_stream_from_external ipc_collect
is_available is_bf16_supported is_compiled_with_cinn is_compiled_with_cuda
is_compiled_with_custom_device is_compiled_with_distribute is_compiled_with_ipu
is_compiled_with_rocm is_compiled_with_xpu is_current_stream_capturing manual_seed manual_seed_all
max_memory_allocated max_memory_reserved reset_max_memory_allocated reset_max_memory_reserved
reset_peak_memory_stats set_default_device set_device set_rng_state set_stream stream synchronize
""",
        "modules": """
cpu cuda custom_device custom_streams default_backend gpgpu_backend xpu
""",
    },
    "paddle.device.cuda": {
        "classes": """
Event MemoryAnalysisTool Stream
""",
        "functions": """
allocate_record_guard allocate_record_plot allocate_record_table create_event create_stream
current_stream device_count empty_cache get_device_capability get_device_name
get_device_properties get_rng_state manual_seed max_memory_allocated max_memory_reserved
memory_allocated memory_reserved memory_summary reset_max_memory_allocated
reset_max_memory_reserved set_rng_state stream_guard synchronize vmm_compact
""",
        "modules": """
cuda_graphed_layer graphs memory_analyzer streams
""",
    },
    "paddle.amp": {
        "classes": """
GradScaler
""",
        "functions": """
auto_cast decorate get_autocast_cpu_dtype get_autocast_dtype get_autocast_gpu_dtype
is_autocast_enabled is_bfloat16_supported is_float16_supported
""",
        "modules": """
accuracy_compare amp_lists auto_cast debugging grad_scaler
""",
    },
    "paddle.audio": {
        "functions": """
info load save
""",
        "modules": """
backends datasets features functional
""",
    },
    "paddle.callbacks": {
        "classes": """
Callback EarlyStopping LRScheduler ModelCheckpoint ProgBarLogger ReduceLROnPlateau VisualDL
WandbCallback
""",
    },
    "paddle.distributed": {
        "classes": """
ColWiseParallel ContextParallel ConvParallel CountFilterEntry DistAttr DistModel InMemoryDataset
LocalLayer ParallelEnv ParallelMode Partial Placement PrepareContextParallel PrepareLayerInput
PrepareLayerOutput ProbabilityEntry ProcessMesh QueueDataset ReduceOp ReduceType Replicate
RowWiseParallel SequenceParallelBegin SequenceParallelDisable SequenceParallelEnable
SequenceParallelEnd Shard ShardedWeight ShardingStage1 ShardingStage2 ShardingStage3
ShowClickEntry SplitPoint Strategy
""",
        "functions": """
ShardedStateDict all_gather all_gather_object all_reduce alltoall alltoall_single barrier
broadcast broadcast_object_list build_sharded_state_dict create_nccl_config destroy_process_group
dtensor_from_fn gather get_backend get_group get_mesh get_rank get_world_size gloo_barrier
gloo_init_parallel_env gloo_release init_parallel_env irecv is_available is_initialized isend
launch load_merged_state_dict load_state_dict local_map new_group parallelize recv
recv_object_list reduce reduce_scatter reshard restart_process_group save_state_dict scatter
scatter_object_list send send_object_list set_mesh shard_dataloader shard_layer shard_optimizer
shard_scaler shard_tensor shard_weight shutdown_process_group spawn split to_distributed to_static
unshard_dtensor wait
""",
        "modules": """
auto_parallel auto_tuner backup_env cloud_utils collective communication communicator
distribute_lookup_table elastic entry_attr fleet flex_checkpoint fsdp io launch metric models
parallel parallel_helper parallel_with_gloo passes ps rpc sharding spawn transpiler utils
value_patch
""",
    },
    "paddle.distribution": {
        "classes": """
AbsTransform AffineTransform Bernoulli Beta Binomial Categorical Cauchy ChainTransform Chi2
ContinuousBernoulli Dirichlet Distribution ExpTransform Exponential ExponentialFamily Gamma
Geometric Gumbel Independent IndependentTransform LKJCholesky Laplace LogNormal Multinomial
MultivariateNormal Normal Poisson PowerTransform ReshapeTransform SigmoidTransform
SoftmaxTransform StackTransform StickBreakingTransform StudentT TanhTransform Transform
TransformedDistribution Uniform
""",
        "functions": """
kl_divergence register_kl
""",
        "modules": """
bernoulli beta binomial categorical cauchy chi2 constraint continuous_bernoulli dirichlet
distribution exponential exponential_family gamma geometric gumbel independent kl laplace
lkj_cholesky lognormal multinomial multivariate_normal normal poisson student_t transform
transformed_distribution uniform variable
""",
    },
    "paddle.fft": {
        "functions": """
fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn
irfft irfft2 irfftn rfft rfft2 rfftfreq rfftn
""",
    },
    "paddle.framework": {
        "classes": """
CPUPlace CUDAPinnedPlace CUDAPlace CustomPlace IPUPlace ParamAttr Parameter XPUPinnedPlace
XPUPlace no_grad
""",
        "functions": """
async_save clear_async_save_task_queue disable_signal_handler disable_static enable_static
get_default_dtype get_flags grad is_parameter is_persistable load save seed set_default_dtype
set_flags
""",
        "modules": """
dtype framework io io_utils ir random recall_error
""",
    },
    "paddle.geometric": {
        "functions": """
reindex_graph reindex_heter_graph sample_neighbors segment_max segment_mean segment_min
segment_sum send_u_recv send_ue_recv send_uv weighted_sample_neighbors
""",
        "modules": """
math message_passing reindex sampling
""",
    },
    "paddle.hub": {
        "functions": """
help list load load_state_dict_from_url
""",
    },
    "paddle.incubate": {
        "classes": """
LookAhead ModelAverage
""",
        "functions": """
graph_khop_sampler graph_reindex graph_sample_neighbors graph_send_recv identity_loss inference
segment_max segment_mean segment_min segment_sum softmax_mask_fuse
softmax_mask_fuse_upper_triangle
""",
        "modules": """
asp autograd autotune cc checkpoint distributed framework jit layers multiprocessing nn operators
optimizer passes tensor xpu
""",
    },
    "paddle.jit": {
        "classes": """
TranslatedLayer
""",
        "functions": """
enable_to_static ignore_module load not_to_static save set_code_level set_verbosity to_static
""",
        "modules": """
api dy2static layer marker pir_translated_layer profiler sot translated_layer utils
""",
    },
    "paddle.linalg": {
        "functions": """
cholesky cholesky_inverse cholesky_solve cond corrcoef cov cross det diagonal eig eigh eigvals
eigvalsh fp8_fp8_half_gemm_fused householder_product inv lstsq lu lu_solve lu_unpack matmul
matrix_exp matrix_norm matrix_power matrix_rank matrix_transpose multi_dot norm ormqr pca_lowrank
pinv qr slogdet solve svd svd_lowrank svdvals triangular_solve vecdot vector_norm
""",
    },
    "paddle.metric": {
        "classes": """
Accuracy Auc Metric Precision Recall
""",
        "functions": """
accuracy
""",
        "modules": """
metrics
""",
    },
    "paddle.onnx": {
        "functions": """
export
""",
        "modules": """
export
""",
    },
    "paddle.profiler": {
        "classes": """
Profiler ProfilerState ProfilerTarget RecordEvent SortedKeys SummaryView
""",
        "functions": """
export_chrome_tracing export_protobuf load_profiler_result make_scheduler
""",
        "modules": """
profiler profiler_statistic statistic_helper timer utils
""",
    },
    "paddle.quantization": {
        "classes": """
BaseObserver BaseQuanter PTQ QAT QuantConfig
""",
        "functions": """
quanter
""",
        "modules": """
base_observer base_quanter config factory imperative observers ptq qat quanters quantize wrapper
""",
    },
    "paddle.regularizer": {
        "classes": """
L1Decay L2Decay
""",
    },
    "paddle.signal": {
        "functions": """
istft stft
""",
    },
    "paddle.sparse": {
        "functions": """
abs add addmm asin asinh atan atanh cast coalesce deg2rad divide expm1 is_same_shape isnan log1p
mask_as masked_matmul matmul multiply mv neg pca_lowrank pow rad2deg reshape sin sinh slice
sparse_coo_tensor sparse_csr_tensor sqrt square subtract sum tan tanh transpose
""",
        "modules": """
binary creation multiary nn unary
""",
    },
    "paddle.static": {
        "classes": """
BuildStrategy CompiledProgram Executor ExponentialMovingAverage InputSpec IpuCompiledProgram
IpuStrategy Program Variable WeightNormParamAttr
""",
        "functions": """
Print accuracy append_backward auc cpu_places create_global_var create_parameter ctr_metric_bundle
cuda_places data default_main_program default_startup_program deserialize_persistables
deserialize_program device_guard global_scope gradients ipu_shard_guard load load_from_file
load_inference_model load_program_state name_scope normalize_program program_guard py_func save
save_inference_model save_to_file scope_guard serialize_persistables serialize_program
set_ipu_shard set_program_state xpu_places
""",
        "modules": """
amp input io io_utils log_helper nn pir_io python_op quantization
""",
    },
    "paddle.static.nn": {
        "functions": """
batch_norm bilinear_tensor_product case cond conv2d conv2d_transpose conv3d conv3d_transpose
deform_conv2d embedding fc group_norm instance_norm layer_norm nce prelu py_func row_conv
sequence_conv sequence_expand sequence_first_step sequence_last_step sequence_pool
sequence_softmax sparse_embedding spectral_norm static_pylayer switch_case while_loop
""",
        "modules": """
common control_flow loss metric sequence_lod static_pylayer
""",
    },
    "paddle.sysconfig": {
        "functions": """
get_include get_lib
""",
    },
    "paddle.tensor": {
        "functions": """
abs abs_ acos acos_ acosh acosh_ add add_ add_n addmm addmm_ all allclose amax amin angle any
arange argmax argmin argsort argwhere array_length array_read array_write as_complex as_real
as_strided asin asin_ asinh asinh_ atan atan2 atan_ atanh atanh_ atleast_1d atleast_2d atleast_3d
baddbmm baddbmm_ bernoulli_ bincount binomial bitwise_and bitwise_and_ bitwise_invert
bitwise_invert_ bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_ bitwise_or
bitwise_or_ bitwise_right_shift bitwise_right_shift_ bitwise_xor bitwise_xor_ block_diag bmm
broadcast_shape broadcast_shapes broadcast_tensors broadcast_to bucketize cartesian_prod cast
cast_ cauchy_ cdist ceil ceil_ cholesky cholesky_inverse cholesky_solve chunk clamp clamp_ clip
clip_ column_stack combinations complex concat cond conj copysign copysign_ corrcoef cos cos_ cosh
cosh_ count_nonzero cov create_array create_parameter create_tensor cross cummax cummin cumprod
cumprod_ cumsum cumsum_ cumulative_trapezoid deg2rad diag diag_embed diagflat diagonal
diagonal_scatter diff digamma digamma_ dist div div_ divide divide_ dot dsplit dstack eig eigh
eigvals eigvalsh einsum empty empty_like eq equal equal_ equal_all erf erfinv erfinv_ exp exp_
expand expand_as expm1 exponential_ eye fill_constant flatten flatten_ flip floor floor_
floor_divide floor_divide_ floor_mod floor_mod_ fmax fmin frac frac_ frexp full full_like gammainc
gammainc_ gammaincc gammaincc_ gammaln gammaln_ gather gather_nd gcd gcd_ ge geometric_ greater
greater_equal greater_equal_ greater_than greater_than_ gt heaviside histogram histogram_bin_edges
histogramdd householder_product hsplit hstack hypot hypot_ i0 i0_ i0e i1 i1e imag increment
index_add index_add_ index_fill index_fill_ index_put index_put_ index_sample index_select inner
inverse is_complex is_empty is_floating_point is_integer is_tensor isclose isfinite isin isinf
isnan isneginf isposinf isreal istft kron kthvalue lcm lcm_ ldexp ldexp_ le lerp lerp_ less less_
less_equal less_equal_ less_than less_than_ lgamma lgamma_ linspace log log10 log10_ log1p log1p_
log2 log2_ log_ log_normal log_normal_ logaddexp logcumsumexp logical_and logical_and_ logical_not
logical_not_ logical_or logical_or_ logical_xor logical_xor_ logit logit_ logsumexp lstsq lt lu
lu_solve lu_unpack masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select matmul
matrix_power matrix_transpose max maximum mean median meshgrid min minimum mm mod mod_ mode
moveaxis msort mul mul_ multi_dot multigammaln multigammaln_ multinomial multiplex multiply
multiply_ mv nan_to_num nan_to_num_ nanmean nanmedian nanquantile nansum narrow ne neg neg_
negative nextafter nonzero norm normal normal_ not_equal not_equal_ numel ones ones_like ormqr
outer pca_lowrank permute pinv poisson polar polygamma polygamma_ positive pow pow_ prod
put_along_axis put_along_axis_ qr quantile rad2deg rand rand_like randint randint_like randn
randn_like random_ randperm range rank ravel real reciprocal reciprocal_ reduce_as remainder
remainder_ renorm renorm_ repeat repeat_interleave reshape reshape_ resize_ reverse roll rot90
round round_ row_stack rsqrt rsqrt_ scale scale_ scatter scatter_ scatter_add scatter_add_
scatter_nd scatter_nd_add scatter_reduce searchsorted select_scatter set_ set_printoptions sgn
shape shard_index sigmoid sigmoid_ sign signbit sin sin_ sinc sinc_ sinh sinh_ slice slice_scatter
slogdet softmax solve sort split split_with_sizes sqrt sqrt_ square square_ squeeze squeeze_ stack
standard_normal stanh std stft strided_slice sub sub_ subtract subtract_ sum svd svd_lowrank
svdvals swapaxes swapdims t t_ take take_along_axis take_along_dim tan tan_ tanh tanh_
tensor_split tensordot tile to_tensor top_p_sampling topk trace transpose transpose_ trapezoid
tril tril_ triu triu_ true_divide trunc trunc_ unbind unflatten unfold uniform uniform_ unique
unique_consecutive unsqueeze unsqueeze_ unstack vander var vecdot view view_as view_as_complex
view_as_real vsplit vstack where where_ zeros zeros_like
""",
        "modules": """
array attribute compat_softmax creation einsum layer_function_generator linalg logic manipulation
math ops random search stat tensor to_string
""",
    },
    "paddle.text": {
        "classes": """
Conll05st Imdb Imikolov Movielens UCIHousing ViterbiDecoder WMT14 WMT16
""",
        "functions": """
viterbi_decode
""",
        "modules": """
datasets viterbi_decode
""",
    },
    "paddle.utils": {
        "functions": """
deprecated require_version run_check try_import
""",
        "modules": """
bwd_graph_utils cpp_extension decorator_utils deprecated dlpack download environments flops
fwd_graph_utils gast image_util inplace_utils install_check layers_utils lazy_import op_version
unique_name
""",
    },
    "paddle.version": {
        "functions": """
cuda cuda_archs cudnn nccl show tensorrt xpu xpu_xccl xpu_xhpc xpu_xre
""",
        "values": """
hip
""",
    },
}
